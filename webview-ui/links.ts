// Where a link in an answer leads. Pure.

export type LinkTarget =
  { readonly kind: 'web'; readonly href: string } | { readonly kind: 'file'; readonly path: string };

/** Web addresses open outside, relative paths in the editor; anything else (commands, scripts, fragments) nowhere. */
export function linkTarget(href: string): LinkTarget | undefined {
  if (/^(https?|mailto):/i.test(href)) return { kind: 'web', href };
  if (/^[a-z][a-z\d+.-]*:/i.test(href) || href.startsWith('#') || href.startsWith('//')) return undefined;
  const path = href
    .replace(/[#?].*$/, '')
    .replace(/^\.\//, '')
    .replace(/:\d+(:\d+)?$/, '');
  if (path === '') return undefined;
  try {
    return { kind: 'file', path: decodeURIComponent(path) };
  } catch (error) {
    // A stray "%" in a file name: it means itself.
    if (error instanceof URIError) return { kind: 'file', path };
    throw error;
  }
}
