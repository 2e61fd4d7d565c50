// Takes known secrets out of events before they are written. Whatever a tool printed or a model repeated, no key
// that this product knows of reaches the disk.
import type { NewEvent } from './events.ts';

export const redactedMark = '[redacted]';
/** Shorter values would be found in innocent text. */
export const shortestSecret = 8;

/** A function that replaces each occurrence of the secrets in all strings of an event. `secrets` is asked each time. */
export function createRedactor(secrets: () => readonly string[]): (event: NewEvent) => NewEvent {
  return (event) => {
    const known = secrets().filter((secret) => secret.length >= shortestSecret);
    if (known.length === 0 || !known.some((secret) => mentions(event, secret))) return event;
    const redacted = mapStrings(event, (text) => redactText(text, known)) as NewEvent;
    return redacted.type === 'assistant_message_completed' ? withoutBrokenThinking(event, redacted) : redacted;
  };
}

/** Whether a secret stands anywhere in plain JSON data. */
function mentions(value: unknown, secret: string): boolean {
  if (typeof value === 'string') return value.includes(secret);
  if (typeof value !== 'object' || value === null) return false;
  return Object.entries(value).some(([key, entry]) => key.includes(secret) || mentions(entry, secret));
}

/** Plain JSON data with each string, keys included, put through a function. */
export function mapStrings(value: unknown, map: (text: string) => string): unknown {
  if (typeof value === 'string') return map(value);
  if (Array.isArray(value)) return value.map((entry) => mapStrings(entry, map));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [map(key), mapStrings(entry, map)]));
}

/** Where secrets overlap or hold each other, all of the text that any of them covers is taken out. */
function redactText(text: string, secrets: readonly string[]): string {
  const spans = secrets.flatMap((secret) => placesOf(secret, text)).sort((a, b) => a.start - b.start);
  let redacted = '';
  let end = 0;
  for (const span of spans) {
    if (span.start >= end) redacted += text.slice(end, span.start) + redactedMark;
    end = Math.max(end, span.end);
  }
  return redacted + text.slice(end);
}

function placesOf(secret: string, text: string): readonly { readonly start: number; readonly end: number }[] {
  const places = [];
  for (let at = text.indexOf(secret); at >= 0; at = text.indexOf(secret, at + 1)) {
    places.push({ start: at, end: at + secret.length });
  }
  return places;
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
