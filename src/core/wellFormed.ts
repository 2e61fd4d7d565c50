// Text that any JSON reader takes: no lone surrogates, nothing cut inside a pair.

/** A copy of plain JSON data whose strings (and keys) are well-formed Unicode. Returns the same object when it already is. */
export function wellFormed<T>(value: T): T;
export function wellFormed(value: unknown): unknown {
  return isAllWellFormed(value) ? value : repaired(value);
}

function isAllWellFormed(value: unknown): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (Array.isArray(value)) return value.every(isAllWellFormed);
  if (typeof value !== 'object' || value === null) return true;
  for (const key of Object.keys(value))
    if (!key.isWellFormed() || !isAllWellFormed((value as Readonly<Record<string, unknown>>)[key])) return false;
  return true;
}

function repaired(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (Array.isArray(value)) return value.map(wellFormed);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, entry]: [string, unknown]) => [
    key.toWellFormed(),
    wellFormed(entry),
  ]);
  return Object.fromEntries(entries);
}

/** The first `length` UTF-16 units at most, never half a surrogate pair. */
export function headOf(text: string, length: number): string {
  if (text.length <= length) return text;
  return text.slice(0, isPairAt(text, length - 1) ? length - 1 : length);
}

/** The last `length` UTF-16 units at most, never half a surrogate pair. */
export function tailOf(text: string, length: number): string {
  if (text.length <= length) return text;
  const start = text.length - length;
  return text.slice(isPairAt(text, start - 1) ? start + 1 : start);
}

/** Cut to `length` units, with an ellipsis as the last of them when something was cut. */
export function ellipsis(text: string, length: number): string {
  return text.length <= length ? text : `${headOf(text, length - 1)}…`;
}

function isPairAt(text: string, index: number): boolean {
  const high = text.charCodeAt(index);
  const low = text.charCodeAt(index + 1);
  return high >= 0xd800 && high <= 0xdbff && low >= 0xdc00 && low <= 0xdfff;
}
