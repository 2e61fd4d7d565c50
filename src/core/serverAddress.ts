// The address of a server as it may be shown and recorded: without a login, and without what stands behind a `?`. Pure.

/** Host and port; empty for no address, and words for one that has none. */
export function hostOfAddress(setting: string): string {
  const address = setting.trim();
  if (address === '') return '';
  const host = URL.parse(address)?.host ?? '';
  return host === '' ? 'an address that cannot be read' : host;
}

/** The address for an error or a log; also of one that is none. */
export function shownAddress(setting: string): string {
  return setting
    .trim()
    .replace(/[?#].*$/s, '')
    .replace(/^((?:[a-z][a-z\d+.-]*:)?\/*).*@/is, '$1');
}

/** What of an address has to stay secret, in each spelling. */
export function secretsOfAddress(setting: string): readonly string[] {
  const address = setting.trim();
  const [, login = ''] = /^(?:[a-z][a-z\d+.-]*:)?\/*(.*)@/is.exec(address.replace(/[?#].*$/s, '')) ?? [];
  const password = login.includes(':') ? login.slice(login.indexOf(':') + 1) : login;
  const url = URL.parse(address);
  const parts = [password, url?.password ?? '', ...(url ? url.searchParams.values() : [])];
  return [...new Set(parts.flatMap((part) => [part, decoded(part)]))].filter((part) => part !== '');
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
