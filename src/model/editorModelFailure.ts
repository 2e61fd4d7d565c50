// What went wrong with a request to a model of the editor, in terms of what may be done about it. The editor tells some
// reasons by code, providers the rest in words of their own.
import { headOf } from '../core/wellFormed.ts';
import { ModelError } from '../runner/ports.ts';

type Kind = ModelError['kind'];

const reasons: readonly { readonly says: RegExp; readonly kind: Kind; readonly code: string; readonly text: string }[] =
  [
    {
      says: /rate.?limit|too many requests|\b429\b/i,
      kind: 'retryable',
      code: 'rate_limited',
      text: 'The provider of the model limits how much may be sent. It can be tried again later.',
    },
    {
      says: /quota|billing|payment|credit balance|premium requests/i,
      kind: 'terminal',
      code: 'low_balance',
      text: 'The quota for this model is used up. Choose another model, or go on when there is quota again.',
    },
    {
      says: /prompt is too long|context (window|length)|token limit|too many tokens|maximum.{0,20}tokens|exceeds.{0,40}tokens/i,
      kind: 'terminal',
      code: 'prompt_too_long',
      text: 'The conversation is longer than the model can take. Compact it, or choose a model that takes more.',
    },
    {
      says: /overloaded|\b529\b/i,
      kind: 'retryable',
      code: 'overloaded',
      text: 'The provider of the model is overloaded. It can be tried again later.',
    },
  ];

/**
 * @param error what the editor threw
 * @param name the model, as people know it
 */
export function editorModelError(error: unknown, name: string): ModelError {
  if (error instanceof ModelError) return error;
  const said = wordsOf(error);
  const [kind, code, message] = judged(codeOf(error), said, name);
  return new ModelError({ kind, code, message, ...(said !== '' && { said }) }, { cause: error });
}

function judged(code: string, said: string, name: string): readonly [Kind, string, string] {
  switch (code) {
    case 'NoPermissions':
      return [
        'terminal',
        'no_permission',
        `The editor does not let Ratchet use ${name}. Allow it with "Manage Language Model Access" in the menu of accounts, then retry, or choose another model.`,
      ];
    case 'NotFound':
      return [
        'terminal',
        'model_not_found',
        `The editor does not have the model ${name} any more. Choose another one.`,
      ];
    case 'Blocked': {
      const known = reasons.find(({ says }) => says.test(said));
      if (known) return [known.kind, known.code, known.text];
      return [
        'terminal',
        'model_blocked',
        `The provider of ${name} blocks its use${quoted(said)}. Choose another model, or look at the account.`,
      ];
    }
    default: {
      const known = reasons.find(({ says }) => says.test(said));
      if (known) return [known.kind, known.code, known.text];
      return ['retryable', 'editor_model', `${name} could not answer${quoted(said)}`];
    }
  }
}

function quoted(said: string): string {
  return said === '' ? '' : `: ${headOf(said, 300)}`;
}

function codeOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'string'
    ? error.code
    : '';
}

/** What an error and its causes say, each once. Bounded, since a chain of causes may run in a circle. */
function wordsOf(error: unknown): string {
  const words = new Set<string>();
  for (let current = error, seen = 0; seen < 5 && current instanceof Error; seen += 1, current = current.cause) {
    const text = current.message.trim();
    if (text !== '' && text !== codeOf(current)) words.add(text);
  }
  return [...words].join('; ');
}
