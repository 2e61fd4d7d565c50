// The button that helps with a failure where trying again does not: it comes first in the banner. What fails for a passing
// reason has none. It must never know how the button is drawn.
import { isEditorModel } from '../core/editorModelId.ts';
import type { RunError } from '../core/events.ts';
import type { Remedy } from '../protocol/view.ts';

const otherKey: Remedy = { label: 'Set another key', command: 'setApiKey' };
const otherModel: Remedy = { label: 'Choose another model', opens: 'choice' };
const checkConnection: Remedy = { label: 'Check connection', command: 'checkConnection' };
const compact: Remedy = { label: 'Compact', command: 'compactSession' };

const remedies: Readonly<Record<string, Remedy>> = {
  key_refused: otherKey,
  low_balance: otherKey,
  no_model: { label: 'Set API key', command: 'setApiKey' },
  model_not_found: otherModel,
  model_blocked: otherModel,
  no_permission: otherModel,
  // The same conversation is declined or refused again, by this model at least.
  refusal: otherModel,
  invalid_request: otherModel,
  thinking_refused: { label: 'Choose thinking or model', opens: 'choice' },
  prompt_too_long: compact,
  request_too_large: compact,
  // The last messages alone are too long: there is nothing to compact.
  context_full: otherModel,
  max_tokens: { label: 'Settings', command: 'openSettings' },
  wrong_url: checkConnection,
  untrusted_certificate: checkConnection,
  unreachable: checkConnection,
  internal: { label: 'Show log', command: 'showLog' },
};

/**
 * What helps with the error that ended the last run.
 * @param isCompacted the conversation was made shorter since: then trying again is what helps
 * @param model the one that failed: keys are no matter of the editor's models
 */
export function remedyFor(error: RunError | undefined, model: string, isCompacted: boolean): Remedy | undefined {
  if (!error || !Object.hasOwn(remedies, error.code)) return undefined;
  const remedy = remedies[error.code];
  if (remedy === compact && isCompacted) return undefined;
  return remedy === otherKey && isEditorModel(model) ? otherModel : remedy;
}
