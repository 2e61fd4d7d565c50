// JSON of files that may be cut, damaged or somebody else's: no error, only no value.

/** What the text stands for, to be checked by a schema; undefined where it is no JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
