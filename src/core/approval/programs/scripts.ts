// What is known of no program in particular: a script of `package.json`, and a script file. What such a script does with
// an argument is not known, so only those are open that mean the same to whatever may be behind it.
import { number, tableOf, text, type Accepts, type Argument, type ArgumentTable } from './argumentTable.ts';

/** Npm before 8, and others of its age, put an argument into the script in double quotes: `$` and backticks still act. */
const quotable: Accepts = (value) => !/\$[\w({[!@*#?$'"-]|`/.test(value) && text(value);

const passed = tableOf({
  flags:
    '--bail --ci --color --colors --no-color --coverage --exit --fix --check --help --no-cache --passWithNoTests --quiet --run --runInBand --silent --verbose --version --watch=false --watchAll=false --no-watch',
  values: [
    ['--grep --fgrep --testNamePattern --testPathPattern -t -g', quotable],
    ['--timeout --retries --maxWorkers --max-warnings --testTimeout --seed', number],
  ],
  words: [quotable],
  globs: true,
});

/** Npm and the like read their own options anywhere before `--`; some of them choose the shell or another folder. */
export const packageScript: ArgumentTable = tableOf({
  flags: '--silent -s --if-present',
  words: [quotable],
  globs: true,
  passed,
});

/** For a script file: options by name, each with a number. An option alone could be any command of the script. */
export function areNumbers(all: readonly (Argument | undefined)[]): boolean {
  const words = all.map((each) => (each && !each.isGlob ? each.text : ''));
  for (let at = 0; at < words.length; at += 1) {
    const [, option, value] = /^(--[A-Za-z][\w-]*)(?:=(.*))?$/s.exec(words[at] ?? '') ?? [];
    if (option === undefined) return false;
    if (value === undefined) at += 1;
    if (!number(value ?? words[at] ?? '')) return false;
  }
  return true;
}
