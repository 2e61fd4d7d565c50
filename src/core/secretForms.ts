// How a secret may stand in a text: as it is, escaped, encoded, and broken over lines. It finds; who takes out, decides.
// Must never keep a text.

export interface Span {
  readonly start: number;
  readonly end: number;
}

/** Finds all places of some secrets; they may overlap. */
export type SecretFinder = (text: string) => readonly Span[];

/**
 * Spellings of a secret: itself, escaped for JSON and for an address, in hex, and in base64 wherever in the encoded bytes
 * it stands. What is spelled as it is is there once.
 */
export function secretForms(secret: string): readonly string[] {
  const plain = secret.toWellFormed();
  const bytes = new TextEncoder().encode(plain);
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  const percent = encodeURIComponent(plain);
  const inBase64 = [0, 1, 2].map((before) => base64Of(bytes, before));
  const forms = [
    ...[
      secret,
      JSON.stringify(plain).slice(1, -1),
      percent,
      percent.replace(/%[\dA-F]{2}/g, (code) => code.toLowerCase()),
    ],
    ...[hex, hex.toUpperCase()],
    ...inBase64,
    ...inBase64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ];
  return [...new Set(forms)];
}

/** The characters that do not depend on what stands around, when `before` bytes of a group of three come first. */
function base64Of(bytes: Uint8Array, before: number): string {
  const padded = [...new Array<number>(before).fill(0), ...bytes];
  const whole = btoa(String.fromCharCode(...padded));
  return whole.slice(Math.ceil((before * 8) / 6), Math.floor((padded.length * 8) / 6));
}

/** A line end as it stands in a text that was wrapped, also where the text is quoted or escaped. */
const lineEnd = /\\?(?:\r\n?|\n)[ \t]*|(?:\\r)?\\n/g;

/** @param secrets long enough not to be found in innocent text */
export function createSecretFinder(secrets: readonly string[]): SecretFinder {
  const forms = [...new Set(secrets.flatMap(secretForms))];
  return (text) => {
    const found = placesIn(text, forms);
    // What was broken over lines stands in one piece without the line ends; most texts hold no secret that way either.
    const joined = text.replace(lineEnd, '');
    if (joined.length === text.length || !forms.some((form) => joined.includes(form))) return found;
    const original = originalPlaces(text);
    const broken = placesIn(joined, forms).map(({ start, end }) => ({
      start: original(start),
      end: original(end - 1) + 1,
    }));
    return [...found, ...broken];
  };
}

function placesIn(text: string, forms: readonly string[]): readonly Span[] {
  const places: Span[] = [];
  for (const form of forms) {
    for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, at + 1)) {
      places.push({ start: at, end: at + form.length });
    }
  }
  return places;
}

/** From a place in the text without line ends to the one in the text itself. */
function originalPlaces(text: string): (joined: number) => number {
  const ends: { readonly joined: number; readonly skipped: number }[] = [];
  let skipped = 0;
  for (const match of text.matchAll(lineEnd)) {
    const joined = match.index - skipped;
    skipped += match[0].length;
    ends.push({ joined, skipped });
  }
  return (joined) => {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.joined ?? 0) <= joined) low = middle + 1;
      else high = middle;
    }
    return joined + (ends[low - 1]?.skipped ?? 0);
  };
}
