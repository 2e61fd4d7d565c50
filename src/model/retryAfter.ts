// How long a server asked to wait, read from the headers of its answer. Knows no clock: `now` is passed in.

/**
 * The wait in milliseconds from `retry-after-ms`, or from `retry-after` in seconds or as a date.
 * Undefined when there is none, it cannot be read, or it has passed.
 * @param now milliseconds since 1970
 */
export function retryAfterMs(headers: Headers, now: number): number | undefined {
  const wait =
    positive(Number.parseFloat(headers.get('retry-after-ms') ?? '')) ?? waitOf(headers.get('retry-after') ?? '', now);
  return wait === undefined ? undefined : Math.ceil(wait);
}

function waitOf(value: string, now: number): number | undefined {
  if (/^\s*[\d.]+\s*$/.test(value)) return positive(Number.parseFloat(value) * 1000);
  return positive(Date.parse(value) - now);
}

function positive(value: number): number | undefined {
  return Number.isFinite(value) && value > 0 ? value : undefined;
}
