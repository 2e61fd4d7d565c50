// What a command that failed in the sandbox was refused there, in words, as far as its output tells: a hint for a question to the
// user, never a reason to allow anything. Pure.
import { isObeyedLater, type Confinement } from '../core/confinement.ts';

/** Of each kind so many are named. */
const namedAtMost = 3;

const path = String.raw`(?<path>~?/[^\s'":,;()]+|[\w@+.\-]*[./][^\s'":,;()]*)`;
const quotedPath = String.raw`['"‘“\x60](?<path>[^'"’”\x60\n]+)['"’”\x60]`;
const readOnlyWords = String.raw`Read-only file system|read-only file system|EROFS`;
const refusedWords = String.raw`Permission denied|permission denied|EACCES|Operation not permitted|operation not permitted|EPERM`;

const readOnly = patterns(readOnlyWords);
const refused = patterns(refusedWords);
const missing = patterns(String.raw`No such file or directory|no such file or directory|ENOENT`);

/** "cat: /x: words", "cannot touch '/x': words", "words: '/x'", "EROFS: words, open '/x'". */
function patterns(words: string): readonly RegExp[] {
  return [
    new RegExp(`${quotedPath}:? ?\\(?(?:${words})`, 'gu'),
    new RegExp(`(?:${words})[^\\n'"]{0,60}?${quotedPath}`, 'gu'),
    new RegExp(`${path}: (?:${words})`, 'gu'),
  ];
}

const hosts: readonly RegExp[] = [
  /Could not resolve host(?:name)?:? ['"]?(?<host>[\w.-]+)/g,
  /could not resolve hostname (?<host>[\w.-]+)/gi,
  /getaddrinfo (?:ENOTFOUND|EAI_AGAIN) (?<host>[\w.-]+)/g,
  /unable to resolve host(?: address)? ['"‘]?(?<host>[\w.-]+)/g,
  /(?:lookup|resolving) ['"]?(?<host>[\w-]+(?:\.[\w-]+)+)/g,
  /Failed to resolve ['"](?<host>[\w.-]+)/g,
  /host='(?<host>[\w.-]+)'/g,
  /[Cc]ould not connect to (?:server|host)? ?['"]?(?<host>[\w-]+(?:\.[\w-]+)+)/g,
  /connect (?:ENETUNREACH|EHOSTUNREACH|ECONNREFUSED) (?<host>[\w.:[\]-]+)/g,
  /connect to (?<host>[\w.-]+) port \d+/g,
];
const noNetwork =
  /Temporary failure in name resolution|Name or service not known|Network is unreachable|ENETUNREACH|nodename nor servname|EAI_AGAIN|Temporary failure resolving/;
const noRights =
  /"no new privileges" flag is set|effective uid is not 0|must be run as root|are you root\?|must be setuid root/i;

/** Sentences such as "It tried to write /etc/x, which is outside the folder." Empty: nothing in the output speaks of the sandbox. */
export function sandboxRefusals(output: string, confinement: Confinement): readonly string[] {
  const text = output.slice(-64 * 1024);
  const written = named(text, readOnly, 'path').map((name) => writtenWords(name, confinement));
  const denied = named(text, refused, 'path')
    .filter((name) => isElsewhere(name, confinement))
    .map((name) => `It was denied ${name}, which is outside the folder.`);
  const hidden = named(text, missing, 'path')
    .filter((name) => isHidden(name, confinement))
    .map((name) => `It looked for ${name}, which is not there inside the sandbox.`);
  const reached = named(text, hosts, 'host').map((name) => `It tried to reach ${name}.`);
  const anyhow: string[] = [];
  if (written.length === 0 && new RegExp(readOnlyWords).test(text))
    anyhow.push('It tried to write outside the folder.');
  if (reached.length === 0 && noNetwork.test(text)) anyhow.push('It tried to use the network.');
  if (noRights.test(text)) anyhow.push('It tried to become another user.');
  if (/Cannot connect to the Docker daemon|docker\.sock/.test(text))
    anyhow.push('It tried to reach the Docker daemon.');
  return [...written, ...denied, ...hidden, ...reached, ...anyhow];
}

function writtenWords(name: string, { folder }: Confinement): string {
  const inside = name.startsWith(`${folder}/`) ? name.slice(folder.length + 1) : name.replace(/^\.\//, '');
  const isInside = !inside.startsWith('/') && !inside.startsWith('~') && !inside.startsWith('../');
  return isInside && isObeyedLater(inside)
    ? `It tried to write ${inside}, which is protected: programs outside the sandbox run or obey it.`
    : `It tried to write ${name}, which is outside the folder.`;
}

function isElsewhere(name: string, { folder }: Confinement): boolean {
  return /^[~/]/.test(name) && name !== folder && !name.startsWith(`${folder}/`) && !name.startsWith('/tmp/');
}

function isHidden(name: string, { home, hidden }: Confinement): boolean {
  const full = name.startsWith('~/') ? `${home}${name.slice(1)}` : name;
  return full.startsWith('/run/') || full.startsWith('/var/run/') || hidden.some((each) => full.startsWith(each));
}

function named(text: string, expressions: readonly RegExp[], group: 'path' | 'host'): readonly string[] {
  const found = new Set<string>();
  for (const expression of expressions) {
    for (const match of text.matchAll(expression)) {
      const name = match.groups?.[group];
      if (name !== undefined && name.length <= 300) found.add(name);
    }
  }
  return [...found].slice(0, namedAtMost);
}
