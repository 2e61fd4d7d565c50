// Whether an argument, as it is written, stays in the folder: no path, address or spelling in it that leads elsewhere.
// Knows the text only: a link inside the folder that leads out of it cannot be seen from here.

/** What begins like an address, but `a.py::test`, `a.ts:12` and `a.ts:12:3`. */
const address = /^[A-Za-z][A-Za-z0-9+.-]*:(?!:)(?!\d+(?::\d+)?$)/;

/** Whether no part of a text, also none after `=`, `,` or blanks, is an absolute path, a home folder, `..` or an address. */
export function staysInside(text: string): boolean {
  return text.split(/[\s=,;|"'()<>]+/).every(isInsidePart) && !/[\\/]\.\.(?:[\\/]|$)/.test(text);
}

function isInsidePart(part: string): boolean {
  // A short option with its value attached to it: `-I/usr/include`.
  const bare = part.replace(/^-[A-Za-z]?/, '').replace(/^:+/, '');
  if (/^(?:[\\/~]|\$\{?[A-Za-z_]|%[A-Za-z_]\w*%)/.test(bare)) return false;
  if (address.test(part)) return false;
  return !/(?:^|:)\.\.(?:[\\/]|$)/.test(bare) && !/:[\\/~]/.test(part);
}

/** Whether a text is a path (or a glob) of the folder, and nothing that a program reads as something else. */
export function isPathInside(text: string): boolean {
  // `@file` has more arguments in it, `+x` is a command for some programs, `:/x` is the top of a repository.
  return text !== '' && !/^[-@+:!]/.test(text) && !/[$`]/.test(text) && staysInside(text) && globsStayInside(text);
}

/** A glob that begins with a dot may match `..`, and a brace list may put one together. */
export function globsStayInside(text: string): boolean {
  if (text.split('/').some((part) => part.startsWith('.') && /[*?[{]/.test(part))) return false;
  if (/\{[^}]*$|^[^{]*\}/.test(text)) return false;
  return [...text.matchAll(/\{([^{}]*)\}/g)].every(([, list = '']) =>
    list.split(',').every((option) => /^\w[\w.-]*$/.test(option) && !option.includes('..')),
  );
}
