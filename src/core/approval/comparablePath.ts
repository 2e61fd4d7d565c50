// A path as file systems compare it, so that no spelling of a name passes for another name: capitals, composed letters,
// letters that are not drawn, backslashes, dots and blanks at the end, streams and short names of Windows.

/** The parts of a relative path, each in the one form in which names are compared. */
export function comparableParts(path: string): readonly string[] {
  const parts: string[] = [];
  for (const raw of path.split(/[\\/]+/)) {
    const part = comparableName(raw);
    if (part === '..') parts.pop();
    else if (part !== '' && part !== '.') parts.push(part);
  }
  return parts;
}

function comparableName(raw: string): string {
  const folded = raw
    .normalize('NFKC')
    // Some file systems leave out what is not drawn, before they compare.
    .replace(/[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}]/gu, '')
    .toLowerCase()
    .normalize('NFKC')
    // `i` with a dot, as small letters of the capital that has one.
    .replaceAll('i\u0307', 'i')
    // And without its dot: where names are compared in capitals, both are the same.
    .replaceAll('\u0131', 'i');
  if (/^\.+$/.test(folded)) return folded.length > 2 ? '' : folded;
  // `name:stream` is `name` on Windows; no other system's tools give a file such a name as those that are looked for.
  const [name = ''] = folded.split(':');
  return name.replace(/[. ]+$/, '');
}

/** Whether a name (in its comparable form) may be the short name that Windows gives to another: `packag~1.jso`. */
export function mayBeShortFor(short: string, long: string): boolean {
  const parts = /^([^~.]{1,6})~\d{1,6}(?:\.([^.]{0,3}))?$/.exec(short);
  if (!parts) return false;
  const bare = long.replace(/^\.+/, '').replaceAll(' ', '');
  const dot = bare.lastIndexOf('.');
  const stem = (dot < 0 ? bare : bare.slice(0, dot)).replaceAll('.', '').replace(/[+,;=[\]]/g, '_');
  const [, start = '', ending = ''] = parts;
  if (ending !== (dot < 0 ? '' : bare.slice(dot + 1, dot + 4))) return false;
  // After four of a kind: two letters, and four of a hash.
  return stem.slice(0, 6) === start || (start.slice(0, 2) === stem.slice(0, 2) && /^[0-9a-f]{4}$/.test(start.slice(2)));
}
