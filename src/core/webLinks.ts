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

const ownNames =
  /^(?:(?:.*\.)?localhost|localhost\.localdomain|localhost6(?:\.localdomain6)?|ip6-(?:localhost|loopback))$/i;

function isThisMachine(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  if (host.startsWith('[')) return isOwnIpv6(host.slice(1, -1));
  return ownNames.test(host) || /^(?:127(?:\.\d+){3}|0\.0\.0\.0)$/.test(host);
}

/** Its own address, and one of the older kind inside one of the newer: compatible, mapped, translated, 6to4. */
function isOwnIpv6(address: string): boolean {
  const [head = [], tail] = address.split('::').map((part) => (part === '' ? [] : part.split(':')));
  const zeros = new Array<string>(8 - head.length - (tail?.length ?? 0)).fill('0');
  const groups = [...head, ...zeros, ...(tail ?? [])].map((group) => Number.parseInt(group, 16));
  if (groups.join(':') === '0:0:0:0:0:0:0:1') return true;
  const is6to4 = groups[0] === 0x2002;
  const before = groups.slice(0, 6).join(':');
  const holdsOlder = is6to4 || /^0:0:0:0:(?:0:0|0:65535|65535:0)$/.test(before) || before.startsWith('100:65435:');
  const [high = 0, low = 0] = is6to4 ? groups.slice(1, 3) : groups.slice(6);
  return holdsOlder && (high >> 8 === 127 || (high === 0 && low === 0));
}
