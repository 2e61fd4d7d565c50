// A language model of the editor behind the same port as any other: one request, one complete answer or one ModelError.
// Must never know VS Code: what it has of a model is a port, and messages are made by editorMessages.
import { estimateTokens } from '../core/contextBudget.ts';
import { durationText } from '../core/words.ts';
import { jsonObjectSchema, type AssistantBlock, type ModelRequest } from '../core/messages.ts';
import { wellFormed } from '../core/wellFormed.ts';
import { ModelError, type CompletedMessage, type ModelPort, type StreamDelta } from '../runner/ports.ts';
import { editorRequest, requestText, type EditorRequest } from './editorMessages.ts';
import { editorModelError } from './editorModelFailure.ts';
import { createIdleWatch } from './idleWatch.ts';
import type { ModelLog } from './log.ts';

export type EditorAnswerPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'call'; readonly id: string; readonly name: string; readonly input: unknown }
  /** Something that has no place in a session: data, or what a later editor sends. */
  | { readonly kind: 'other' };

/** One model of the editor. What it throws is the editor's own. */
export interface EditorChat {
  /** For people. */
  readonly name: string;
  readonly takesImages: boolean;
  /** Resolves when the answer begins; it is complete when the parts end without an error. */
  send(request: EditorRequest, signal: AbortSignal): Promise<AsyncIterable<EditorAnswerPart>>;
  countTokens(text: string, signal: AbortSignal): Promise<number>;
}

export interface EditorModelOptions {
  readonly chat: EditorChat;
  /** Milliseconds without a part after which an answer counts as stalled. A long tool call comes in one part. */
  readonly idleTimeoutMs: number;
  readonly log: ModelLog;
}

const countingMs = 5_000;

export function createEditorModel(options: EditorModelOptions): ModelPort {
  const { chat, log } = options;
  const count = async (text: string, signal: AbortSignal): Promise<number | undefined> => {
    try {
      const limited = AbortSignal.any([signal, AbortSignal.timeout(countingMs)]);
      const counted = await orAborted(chat.countTokens(text, limited), limited);
      return Number.isFinite(counted) && counted > 0 ? Math.ceil(counted) : undefined;
    } catch (error) {
      signal.throwIfAborted();
      log.info('The editor did not count tokens; they are estimated.', error);
      return undefined;
    }
  };
  return {
    stream: (request, { onDelta, signal }) => streamAnswer(options, count, request, onDelta, signal),
    countTokens: (request, signal) => count(requestText(editorRequest(request, chat.takesImages)), signal),
  };
}

async function streamAnswer(
  { chat, idleTimeoutMs, log }: EditorModelOptions,
  count: (text: string, signal: AbortSignal) => Promise<number | undefined>,
  request: ModelRequest,
  onDelta: (delta: StreamDelta) => void,
  signal: AbortSignal,
): Promise<CompletedMessage> {
  signal.throwIfAborted();
  const sent = editorRequest(request, chat.takesImages);
  const sentText = requestText(sent);
  // Ends the exchange, whoever wants that; its reason says why.
  const exchange = new AbortController();
  const stopWithCaller = (): void => {
    exchange.abort(signal.reason);
  };
  const watch = createIdleWatch(idleTimeoutMs, () => {
    const message = `${chat.name} said nothing for ${durationText(idleTimeoutMs)}. Resume asks again from here.`;
    exchange.abort(new ModelError({ kind: 'stalled', code: 'stalled', message }));
  });
  signal.addEventListener('abort', stopWithCaller, { once: true });
  const counting = count(sentText, exchange.signal).catch(() => undefined);
  try {
    watch.start();
    const answer = createAnswer(onDelta, log);
    const parts = (await orAborted(chat.send(sent, exchange.signal), exchange.signal))[Symbol.asyncIterator]();
    for (;;) {
      // A provider need not heed that it is cancelled, and a stream that was cancelled may end as if it were whole.
      const next = await orAborted(parts.next(), exchange.signal);
      exchange.signal.throwIfAborted();
      if (next.done === true) break;
      watch.touch();
      answer.accept(next.value);
    }
    const content = answer.finish();
    if (content.length === 0)
      throw new ModelError({ kind: 'retryable', code: 'empty_answer', message: `${chat.name} gave no answer.` });
    const inputTokens = (await counting) ?? estimateTokens(sentText);
    const outputTokens = estimateTokens(JSON.stringify(content));
    return {
      content,
      stopReason: content.some(({ type }) => type === 'tool_use') ? 'tool_use' : 'end_turn',
      usage: { inputTokens, outputTokens, cacheReadTokens: 0, cacheWriteTokens: 0 },
      model: request.model,
    };
  } catch (error) {
    exchange.signal.throwIfAborted();
    throw editorModelError(error, chat.name);
  } finally {
    signal.removeEventListener('abort', stopWithCaller);
    watch.stop();
    exchange.abort();
  }
}

/** What the promise gives, or the signal's reason as soon as it is aborted. What comes later is not waited for. */
async function orAborted<T>(promise: PromiseLike<T>, signal: AbortSignal): Promise<T> {
  let stop = (): void => undefined;
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => {
      reject(signal.reason as Error);
    };
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

interface Answer {
  accept(part: EditorAnswerPart): void;
  finish(): readonly AssistantBlock[];
}

function createAnswer(onDelta: (delta: StreamDelta) => void, log: ModelLog): Answer {
  const content: AssistantBlock[] = [];
  let text = '';
  let hasOther = false;
  const closeText = (): void => {
    if (text !== '') content.push({ type: 'text', text });
    text = '';
  };
  return {
    accept(part) {
      switch (part.kind) {
        case 'text':
          if (part.text === '') return;
          onDelta({ kind: 'text', index: content.length, text: part.text });
          text += part.text;
          return;
        case 'call': {
          closeText();
          const index = content.length;
          const id = safe(part.id, 64) || `call_${String(index)}`;
          const name = safe(part.name, 128) || 'unnamed';
          onDelta({ kind: 'tool', index, name, id });
          content.push({ type: 'tool_use', id, name, input: objectOf(part.input) });
          return;
        }
        case 'other':
          if (!hasOther) log.info('A part of the answer has no place in a session and is left out.');
          hasOther = true;
      }
    },
    finish() {
      closeText();
      return content;
    },
  };
}

/** Ids and names as the Messages API takes them, so that any model can go on with the session. */
function safe(text: string, length: number): string {
  return text.replace(/[^a-zA-Z0-9_-]/g, '_').slice(0, length);
}

/** Plain JSON, which the editor does not promise. */
function objectOf(input: unknown): Record<string, unknown> {
  const json = JSON.stringify(input) as string | undefined;
  const parsed = jsonObjectSchema.safeParse(json === undefined ? undefined : JSON.parse(json));
  return parsed.success ? wellFormed(parsed.data) : {};
}
