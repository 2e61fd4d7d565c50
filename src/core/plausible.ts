// Whether a record that somebody sent could have been made by this product. Each text, number and name of it may be what
// its schema says and still be of a size that nothing here was made for: such a record costs itself.
import type { SessionEvent } from './events.ts';

/** Deeper than any tool's input; far from where a function that calls itself gives up. */
const deepest = 500;
/** In UTF-16 units. Ids and names have tens of them. */
const longestName = 512;
/** The end of the year 9999, in milliseconds since 1970: later ones cannot be added to, or written, everywhere. */
const latest = 253_402_300_799_999;

/** Fields that are names or ids, wherever in a record they stand. */
const names: ReadonlySet<string> = new Set([
  ...['runId', 'stepId', 'messageId', 'requestId', 'agentId', 'revertId', 'compactionId', 'undoes', 'id', 'key'],
  ...['tool', 'name', 'agent', 'model', 'from', 'code', 'stopReason', 'sha256', 'file'],
]);

/** @param event checked by its schema already */
export function isPlausible(event: SessionEvent): boolean {
  return event.at >= 0 && event.at <= latest && isPlausibleValue(event, 0);
}

function isPlausibleValue(value: unknown, depth: number): boolean {
  if (typeof value === 'number') return Math.abs(value) <= Number.MAX_SAFE_INTEGER;
  if (typeof value !== 'object' || value === null) return true;
  if (depth > deepest) return false;
  if (Array.isArray(value)) return value.every((entry) => isPlausibleValue(entry, depth + 1));
  return Object.entries(value).every(([key, entry]: [string, unknown]) =>
    // What a model wrote for a tool is the tool's to judge.
    key === 'input'
      ? isShallow(entry, depth + 1)
      : (typeof entry !== 'string' || entry.length <= longestName || !names.has(key)) &&
        isPlausibleValue(entry, depth + 1),
  );
}

/** Whether plain JSON data is nested no deeper than what may be walked. */
function isShallow(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (depth > deepest) return false;
  return Object.values(value).every((entry) => isShallow(entry, depth + 1));
}
