// Reads a request body as the API's JSON parser does: stricter than JSON.parse about surrogates. It must know nothing of
// what the body means.

export type RawJson = { readonly value: unknown } | { readonly error: string };

/** Index in `raw` (UTF-16 units) of the first surrogate, raw or escaped, that has no partner; undefined if there is none. */
export function findLoneSurrogate(raw: string): number | undefined {
  let pendingAt: number | undefined;
  let pendingEnd = -1;
  for (const match of raw.matchAll(/\\(?:u([0-9a-fA-F]{4})|[^u])/g)) {
    const unit = match[1] === undefined ? 0 : Number.parseInt(match[1], 16);
    const isHigh = unit >= 0xd800 && unit <= 0xdbff;
    const isLow = unit >= 0xdc00 && unit <= 0xdfff;
    const adjacent = pendingAt !== undefined && match.index === pendingEnd;
    if (pendingAt !== undefined && !(adjacent && isLow)) return pendingAt;
    if (isLow && !adjacent) return match.index;
    pendingAt = isHigh ? match.index : undefined;
    pendingEnd = match.index + match[0].length;
  }
  if (pendingAt !== undefined) return pendingAt;
  if (raw.isWellFormed()) return undefined;
  return raw.search(/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/);
}

/** Parses `raw`; what the API would not take as JSON comes back as its error message. */
export function parseRawJson(raw: string): RawJson {
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { error: `The request body is not valid JSON: ${error.message}` };
  }
  const at = findLoneSurrogate(raw);
  if (at === undefined) return { value };
  const line = raw.slice(0, at).split('\n').length;
  const column = at - raw.lastIndexOf('\n', at - 1);
  return {
    error: `The request body is not valid JSON: no low surrogate in string: line ${line} column ${column} (char ${at})`,
  };
}
