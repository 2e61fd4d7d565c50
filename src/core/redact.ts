// Takes known secrets out of events before they are written. Whatever a tool printed or a model repeated, no key
// that this product knows of reaches the disk, in whatever spelling (`secretForms.ts`).
import type { NewEvent } from './events.ts';
import { createSecretFinder, type SecretFinder, type Span } from './secretForms.ts';

export const redactedMark = '[redacted]';
/** Shorter values would be found in innocent text. */
export const shortestSecret = 8;

/** A function that replaces each occurrence of the secrets in all strings of an event. `secrets` is asked each time. */
export function createRedactor(secrets: () => readonly string[]): (event: NewEvent) => NewEvent {
  const finder = currentFinder(secrets);
  return (event) => {
    const find = finder();
    if (!find || !mentions(event, find)) return event;
    const redacted = mapStrings(event, (text) => withoutSpans(text, find(text))) as NewEvent;
    return redacted.type === 'assistant_message_completed' ? withoutBrokenThinking(event, redacted) : redacted;
  };
}

/** The same for one text, such as a line of the log or an error that is shown. */
export function createTextRedactor(secrets: () => readonly string[]): (text: string) => string {
  const finder = currentFinder(secrets);
  return (text) => {
    const find = finder();
    return find ? withoutSpans(text, find(text)) : text;
  };
}

/** Of the secrets as they are now, made anew only when they are others; undefined where there is none. */
function currentFinder(secrets: () => readonly string[]): () => SecretFinder | undefined {
  let made: { readonly key: string; readonly find: SecretFinder | undefined } = { key: '[]', find: undefined };
  return () => {
    const known = secrets().filter((secret) => secret.length >= shortestSecret);
    const key = JSON.stringify(known);
    if (key !== made.key) made = { key, find: known.length === 0 ? undefined : createSecretFinder(known) };
    return made.find;
  };
}

/** Whether a secret stands anywhere in plain JSON data. */
function mentions(value: unknown, find: SecretFinder): boolean {
  if (typeof value === 'string') return find(value).length > 0;
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, entry]) => find(key).length > 0 || mentions(entry, find));
}

/** Plain JSON data with each string, keys included, put through a function. */
export function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((entry) => mapStrings(entry, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [map(key), mapStrings(entry, map)]));
}

/** Where secrets overlap or hold each other, all of the text that any of them covers is taken out. */
function withoutSpans(text: string, places: readonly Span[]): string {
  if (places.length === 0) return text;
  const spans = [...places].sort((a, b) => a.start - b.start);
  let redacted = '';
  let end = 0;
  for (const span of spans) {
    if (span.start >= end) redacted += text.slice(end, span.start) + redactedMark;
    end = Math.max(end, span.end);
  }
  return redacted + text.slice(end);
}

/** Thinking goes back byte for byte or not at all: a signature over other bytes would be refused. */
export function withoutBrokenThinking<T extends Extract<NewEvent, { type: 'assistant_message_completed' }>>(
  before: NewEvent,
  after: T,
): T {
  if (before.type !== 'assistant_message_completed') return after;
  return {
    ...after,
    content: after.content.map((block, index) => {
      const original = before.content[index];
      if (block.type !== 'thinking' || original?.type !== 'thinking') return block;
      const isSame = original.thinking === block.thinking && original.signature === block.signature;
      return isSame ? block : { ...block, signature: '' };
    }),
  };
}
