// A model that answers from a script and remembers what it was asked, byte for byte. It must never know about sessions.
import type { AssistantBlock, ModelRequest, Usage } from '../../../src/core/messages.ts';
import type { CompletedMessage, ModelPort, StreamDelta } from '../../../src/runner/ports.ts';

export type ModelTurn =
  | {
      readonly kind: 'answer';
      readonly content: readonly AssistantBlock[];
      readonly stopReason: string;
      readonly usage?: Usage;
    }
  /** Streams the text, then fails. */
  | { readonly kind: 'fails'; readonly error: Error; readonly text: string }
  /** Streams the text, then waits until it is stopped. */
  | { readonly kind: 'hangs'; readonly text: string };

export const turnUsage: Usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 90, cacheWriteTokens: 3 };

export function say(text: string): AssistantBlock {
  return { type: 'text', text };
}

export function call(id: string, name: string, input: Record<string, unknown> = {}): AssistantBlock {
  return { type: 'tool_use', id, name, input };
}

export function answer(...content: AssistantBlock[]): ModelTurn {
  const stopReason = content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn';
  return { kind: 'answer', content, stopReason };
}

export function stopped(stopReason: string, ...content: AssistantBlock[]): ModelTurn {
  return { kind: 'answer', content, stopReason };
}

export function fails(error: Error, text = ''): ModelTurn {
  return { kind: 'fails', error, text };
}

export function hangs(text = ''): ModelTurn {
  return { kind: 'hangs', text };
}

export interface ScriptedModel extends ModelPort {
  /** Turns that are still to come; more may be added at any time. When there is none left it says "Done.". */
  readonly turns: ModelTurn[];
  readonly requests: readonly ModelRequest[];
  /** The n-th request (from 1), as soon as it has come. */
  requested(n: number): Promise<ModelRequest>;
}

export function createScriptedModel(
  turns: readonly ModelTurn[] = [],
  onRequest: () => void = () => undefined,
): ScriptedModel {
  const requests: ModelRequest[] = [];
  const waiting: { readonly n: number; readonly resolve: (request: ModelRequest) => void }[] = [];
  const left = [...turns];

  const arrive = (request: ModelRequest): void => {
    onRequest();
    // Kept as it would be on the wire: nothing that happens later may change it.
    requests.push(structuredClone(request));
    for (const { n, resolve } of waiting) if (n === requests.length) resolve(request);
  };

  return {
    turns: left,
    requests,
    requested: (n) => {
      const request = requests[n - 1];
      if (request) return Promise.resolve(request);
      return new Promise((resolve) => waiting.push({ n, resolve }));
    },
    stream: async (request, { onDelta, signal }) => {
      signal.throwIfAborted();
      arrive(request);
      const turn = left.shift() ?? answer(say('Done.'));
      switch (turn.kind) {
        case 'answer':
          return streamed(turn, onDelta);
        case 'fails':
          if (turn.text !== '') onDelta({ kind: 'text', index: 0, text: turn.text });
          throw turn.error;
        case 'hangs':
          if (turn.text !== '') onDelta({ kind: 'text', index: 0, text: turn.text });
          return untilStopped(signal);
      }
    },
  };
}

function streamed(
  turn: Extract<ModelTurn, { kind: 'answer' }>,
  onDelta: (delta: StreamDelta) => void,
): CompletedMessage {
  for (const [index, block] of turn.content.entries()) {
    if (block.type === 'tool_use') onDelta({ kind: 'tool', index, name: block.name, id: block.id });
    const text = block.type === 'text' ? block.text : block.type === 'thinking' ? block.thinking : '';
    const half = Math.ceil(text.length / 2);
    for (const piece of [text.slice(0, half), text.slice(half)]) {
      if (piece !== '') onDelta({ kind: block.type === 'thinking' ? 'thinking' : 'text', index, text: piece });
    }
  }
  return { content: turn.content, stopReason: turn.stopReason, usage: turn.usage ?? turnUsage, model: 'scripted' };
}

function untilStopped(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    const stop = (): void => reject(signal.reason as Error);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
}
