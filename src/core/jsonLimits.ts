// Whether a text of JSON is one that may be parsed and walked. Nested a hundred thousand times, or made of nothing but
// brackets, it would cost the memory of the process or the stack of who walks it.

/** Far above what is recorded, far below where a function that calls itself gives up. */
const deepest = 1_000;
/** Arrays and objects in one text. */
const most = 500_000;
/** A shorter text costs too little to be looked at: nearly all lines of a trace are. Who walks it still minds its depth. */
const innocent = 64 * 1024;

const quote = 0x22;
const backslash = 0x5c;

/** Looks at the brackets outside of strings; what is no JSON at all is not found out here. */
export function isReadableJson(text: string): boolean {
  if (text.length <= innocent) return true;
  let depth = 0;
  let opened = 0;
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === quote) {
      at = endOfString(text, at + 1);
    } else if (unit === 0x7b || unit === 0x5b) {
      depth += 1;
      opened += 1;
      if (depth > deepest || opened > most) return false;
    } else if (unit === 0x7d || unit === 0x5d) depth -= 1;
  }
  return true;
}

/** Place of the quote that ends a string; that of the end of the text when there is none. */
function endOfString(text: string, from: number): number {
  for (let at = text.indexOf('"', from); at >= 0; at = text.indexOf('"', at + 1)) {
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === backslash) slashes += 1;
    if (slashes % 2 === 0) return at;
  }
  return text.length;
}
