// Programs that print, list or filter. Of the filters only those options are open with which they read what is piped.
import { anything, matching, number, oneOf, path, tableOf, text, type ArgumentTable } from './argumentTable.ts';

const count = matching(/^[+-]?\d+[bkKmM]?$/);
const colors = oneOf('auto always never');

/** Prints its words: whatever they say, nothing is opened. */
const echo = tableOf({ words: [anything] });

const ls = tableOf({
  flags:
    '-1 -a -A -l -h -t -r -R -S -d -F -i -p -n -s -G -o -g -U -c -u -k -m -x -X -B -b -q --all --almost-all --human-readable --reverse --recursive --directory --classify --inode --size --help --version',
  optional: [['--color', colors]],
  values: [
    ['--sort', oneOf('none size time version extension width')],
    ['--time-style', oneOf('full-iso long-iso iso locale')],
  ],
  words: [path],
  globs: true,
  joins: true,
});

const head = tableOf({
  flags: '-q -v -z --quiet --silent --verbose --help --version',
  values: [['-n -c --lines --bytes', count]],
  joins: true,
  bareNumber: true,
});

const wc = tableOf({
  flags: '-l -w -c -m -L --lines --words --bytes --chars --max-line-length --help --version',
  joins: true,
});

const grep = tableOf({
  flags:
    '-i -v -c -n -o -w -x -E -F -P -q -s -h -H -a -l -L -z --ignore-case --invert-match --count --line-number --only-matching --word-regexp --line-regexp --extended-regexp --fixed-strings --perl-regexp --quiet --no-messages --no-filename --with-filename --text --line-buffered --help --version',
  values: [['-A -B -C -m --after-context --before-context --context --max-count', number]],
  optional: [['--color --colour', colors]],
  // The expression, and no file: what it filters comes from a pipe.
  words: [text],
  most: 1,
  joins: true,
});

export const basics: ReadonlyMap<string, ArgumentTable> = new Map([
  ['echo', echo],
  ['true', echo],
  ['false', echo],
  ['pwd', tableOf({ flags: '-P -L --physical --logical' })],
  ['ls', ls],
  ['head', head],
  ['tail', head],
  ['wc', wc],
  ['grep', grep],
]);

/** What is piped into them is data to them, and never a program. */
export const readsPipe: ReadonlySet<string> = new Set(basics.keys());
