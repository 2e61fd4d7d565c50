// Takes credentials out of a trace that leaves the machine, and keeps account of it: how many of each kind, and where, the
// secret itself never. It must never know what becomes of the text.
import type { SessionEvent } from './events.ts';
import { mapStrings, redactedMark, shortestSecret, withoutBrokenThinking } from './redact.ts';
import { createSecretFinder } from './secretForms.ts';
import { findSecrets, type SecretSpan } from './secretPatterns.ts';
import { headOf, tailOf } from './wellFormed.ts';

const aroundLength = 40;
const placesOfKind = 20;

export interface Redaction {
  readonly kind: string;
  readonly count: number;
  /** What stands around the first ones, in one line each. */
  readonly places: readonly string[];
}

export interface ExportRedactor {
  readonly text: (text: string) => string;
  /** The last place up to `wanted` at which a text can be cut without cutting through what is taken out. */
  readonly cutPlace: (text: string, wanted: number) => number;
  event(event: SessionEvent): SessionEvent;
  /** What was taken out until now, most first. */
  redactions(): readonly Redaction[];
}

/** @param known secrets that are known by their value; short ones would be found in innocent text */
export function createExportRedactor(known: readonly string[]): ExportRedactor {
  const find = createSecretFinder(known.filter((secret) => secret.length >= shortestSecret));
  const account = new Map<string, { count: number; readonly places: string[] }>();
  const note = (kind: string, place: string): void => {
    const entry = account.get(kind) ?? { count: 0, places: [] };
    entry.count += 1;
    if (entry.places.length < placesOfKind) entry.places.push(place);
    account.set(kind, entry);
  };
  const text = (original: string): string => {
    const spans = merged(findSecrets(original, find));
    if (spans.length === 0) return original;
    const pieces: string[] = [];
    const marks: { readonly kind: string; readonly at: number }[] = [];
    let end = 0;
    let length = 0;
    for (const span of spans) {
      const before = original.slice(end, span.start);
      pieces.push(before, redactedMark);
      marks.push({ kind: span.kind, at: length + before.length });
      length += before.length + redactedMark.length;
      end = span.end;
    }
    const redacted = pieces.join('') + original.slice(end);
    // Shown from what is redacted already, so that a neighbour is not shown either.
    for (const { kind, at } of marks) {
      const before = redacted.slice(0, at);
      const after = redacted.slice(at + redactedMark.length);
      const cutBefore = before.length > aroundLength ? '…' : '';
      const cutAfter = after.length > aroundLength ? '…' : '';
      const around = `${tailOf(before, aroundLength)}${redactedMark}${headOf(after, aroundLength)}`;
      note(kind, `${cutBefore}${around.replace(/\s+/g, ' ').trim()}${cutAfter}`);
    }
    return redacted;
  };
  return {
    text,
    cutPlace: (original, wanted) =>
      merged(findSecrets(original, find)).find(({ start, end }) => start < wanted && wanted < end)?.start ?? wanted,
    event: (event) => {
      const redacted = mapStrings(event, text) as SessionEvent;
      return redacted.type === 'assistant_message_completed' ? withoutBrokenThinking(event, redacted) : redacted;
    },
    redactions: () => [...account].map(([kind, entry]) => ({ kind, ...entry })).sort((a, b) => b.count - a.count),
  };
}

/** Where spans overlap or hold each other they are one, of the kind that was found first. */
function merged(spans: readonly SecretSpan[]): readonly SecretSpan[] {
  const result: SecretSpan[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const last = result.at(-1);
    if (last && span.start < last.end) result[result.length - 1] = { ...last, end: Math.max(last.end, span.end) };
    else result.push(span);
  }
  return result;
}
