// Which model, thinking and effort a launch asks for: what was said for this very run, then what was chosen for the
// session, then, on a resume, what the last run had. The rest is left to the settings.
import type { LaunchCause } from '../core/launchPlan.ts';
import { mayAnswer } from '../core/connection.ts';
import { RatchetError } from '../core/errors.ts';
import { noAnswerMessage } from '../core/noConnection.ts';
import { lastRunHere, type SessionState } from '../core/sessionState.ts';
import type { ModelChoice, PreparedModel } from './sessionPorts.ts';

/** Ends after which the settings are asked again: what the last run had may be what was wrong. */
const refusals: ReadonlySet<string> = new Set([
  'model_not_found',
  'model_blocked',
  'no_permission',
  'invalid_request',
  'prompt_too_long',
  'key_refused',
  'wrong_url',
]);

/** A resumed request begins with the bytes of the one that was cut, so it keeps what they were made for. */
export function modelChoice(state: SessionState, request: ModelChoice & { readonly cause: LaunchCause }): ModelChoice {
  const asked: ModelChoice = {
    ...state.chosenModel,
    ...(request.model !== undefined && { model: request.model }),
    ...(request.thinking !== undefined && { thinking: request.thinking }),
    ...(request.effort !== undefined && { effort: request.effort }),
  };
  const last = lastRunHere(state);
  if (request.cause === 'message' || !last || last.model === '' || refusals.has(last.end?.error?.code ?? ''))
    return asked;
  const model = asked.model ?? last.model;
  // What fitted one model says nothing of another.
  if (model !== last.model) return asked;
  return { model, thinking: last.thinking, effort: last.effort ?? 'default', ...asked };
}

/**
 * Asked once the session is owned: another window may have gone on with it since the model was prepared.
 * @throws RatchetError `no_model`
 */
export function assertMayAnswer({ connection }: PreparedModel, { answers }: SessionState): void {
  if (connection && !mayAnswer(connection, answers))
    throw new RatchetError('no_model', noAnswerMessage('demo_stays_out', answers));
}
