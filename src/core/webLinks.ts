// What becomes of a web address that an answer links to. Pure.

export type LinkVerdict =
  /** The editor asks by itself, unless the user trusts the domain. */
  | { readonly kind: 'editorAsks' }
  /** The editor would not ask: a page of this machine may do something when it is called, and a mail is begun. */
  | { readonly kind: 'ask'; readonly about: string }
  | { readonly kind: 'never' };

export function judgeLink(href: string): LinkVerdict {
  const url = URL.parse(href);
  switch (url?.protocol) {
    case 'http:':
    case 'https:':
      return isThisMachine(url.hostname) ? { kind: 'ask', about: url.href } : { kind: 'editorAsks' };
    case 'mailto:':
      return { kind: 'ask', about: url.href };
    default:
      return { kind: 'never' };
  }
}

function isThisMachine(host: string): boolean {
  return /^(localhost|.*\.localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1\]|\[::\]|\[::ffff:7f.*\])\.?$/i.test(host);
}
