// The whole check, phase by phase, added up to one line. `npm test -- unit host --grep text` runs some of it: a phase
// that needs another one (in-host suites a build, end-to-end tests a package) brings it along.
import { globSync } from 'node:fs';
import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { ensureChromium } from './chromium.ts';
import { runDesktopSuites } from './desktopSuites.ts';
import { failuresFolder, outFolder, repositoryRoot } from './paths.ts';
import { killDescendants, runCommand, runTool } from './processes.ts';
import { runHostSuites } from '../test/support/workbench/hostSuite.ts';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  readonly failures?: readonly Failure[] | undefined;
}

interface Failure {
  readonly title: string;
  /** With its stack. */
  readonly error: string;
}

interface Phase {
  readonly name: string;
  /** What else names it on the command line. */
  readonly group?: string;
  readonly needs?: string;
  /** Only when it is asked for. */
  readonly isExtra?: boolean;
  readonly run: (grep: string | undefined) => Promise<Counts>;
}

/** Files at a time: unit tests wait for processes more than they compute, the windows of end-to-end tests do both. */
const sideBySide = (jobs: number): readonly string[] => ['--parallel', '--jobs', String(jobs)];
const tallyFile = path.join(outFolder, 'tally.json');
const tallySchema = z.object({
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  failures: z.array(z.object({ title: z.string(), error: z.string() })).optional(),
});
const shownFailures = 10;
const shownCharacters = 2_000;
const onePassed: Counts = { passed: 1, failed: 0, skipped: 0 };

const phases: readonly Phase[] = [
  tools('typecheck', ...projects().map((project) => ['tsc', '-p', project] as const)),
  { ...tools('eslint', ['eslint', '.', '--max-warnings', '0']), group: 'lint' },
  { ...tools('prettier', ['prettier', '--check', '--log-level', 'warn', '.']), group: 'lint' },
  { ...tools('knip', ['knip']), group: 'lint' },
  { name: 'unit', run: (grep) => mocha(['test/unit'], grep, {}, sideBySide(3)) },
  { name: 'property', run: (grep) => mocha(['test/property'], grep, {}, sideBySide(2)) },
  { name: 'recovery', run: (grep) => mocha(['test/recovery'], grep, {}, sideBySide(2)) },
  { name: 'panel', run: inBrowser },
  script('build', ['esbuild.mjs'], ['esbuild.mjs', '--host-suites']),
  { name: 'host', needs: 'build', run: (grep) => inHost(runHostSuites, grep) },
  { name: 'desktop', needs: 'build', isExtra: true, run: (grep) => inHost(runDesktopSuites, grep) },
  script('package', ['scripts/packageVsix.ts']),
  { name: 'e2e', needs: 'package', run: (grep) => mocha(['test/e2e'], grep, {}, sideBySide(2)) },
];

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  process.once(signal, () => void killDescendants().finally(() => process.exit(130)));
}
process.exitCode = await main();

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({ options: { grep: { type: 'string' } }, allowPositionals: true });
  const unknown = positionals.filter((word) => !phases.some((phase) => isNamed(phase, word)));
  if (unknown.length > 0) {
    console.error(
      `There is no phase ${unknown.join(', ')}. Phases: lint, ${phases.map(({ name }) => name).join(', ')}`,
    );
    return 2;
  }
  await mkdir(outFolder, { recursive: true });
  await rm(failuresFolder, { recursive: true, force: true });

  let sum: Counts = { passed: 0, failed: 0, skipped: 0 };
  const broken: string[] = [];
  const failures: Failure[] = [];
  for (const phase of chosen(positionals)) {
    console.log(`\n=== ${phase.name} ===`);
    const counts = await countsOf(phase, broken, values.grep);
    if (counts.failed > 0) broken.push(phase.name);
    for (const { title, error } of counts.failures ?? []) failures.push({ title: `${phase.name}: ${title}`, error });
    sum = {
      passed: sum.passed + counts.passed,
      failed: sum.failed + counts.failed,
      skipped: sum.skipped + counts.skipped,
    };
  }
  // Once more at the end: where only the last lines of a long output are kept, that is where they are looked for.
  for (const { title, error } of failures.slice(0, shownFailures)) {
    console.log(`\n✖ ${title}\n${error.slice(0, shownCharacters)}`);
  }
  console.log(broken.length === 0 ? '\nEverything passed.' : `\nFailed: ${broken.join(', ')}`);
  const skipped = sum.skipped === 0 ? '' : `, ${sum.skipped} skipped`;
  console.log(`${sum.passed} passed, ${sum.failed} failed${skipped}`);
  return sum.failed === 0 ? 0 : 1;
}

/** The root's tsconfig.json and those of the folders that have their own. */
function projects(): string[] {
  return globSync('{.,webview-ui,webview-ui/*}/tsconfig.json', { cwd: repositoryRoot }).sort();
}

function isNamed({ name, group }: Phase, word: string): boolean {
  return name === word || group === word;
}

function chosen(words: readonly string[]): Phase[] {
  if (words.length === 0) return phases.filter(({ isExtra }) => isExtra !== true);
  const asked = phases.filter((phase) => words.some((word) => isNamed(phase, word)));
  return phases.filter((phase) => asked.includes(phase) || asked.some(({ needs }) => needs === phase.name));
}

async function countsOf(phase: Phase, broken: readonly string[], grep: string | undefined): Promise<Counts> {
  try {
    if (phase.needs !== undefined && broken.includes(phase.needs)) throw new Error(`${phase.needs} failed before it`);
    const counts = await phase.run(grep);
    if (grep === undefined && counts.passed + counts.failed === 0) throw new Error('it ran no test');
    return counts;
  } catch (error) {
    const message = messageOf(error);
    console.error(`${phase.name} failed: ${message}`);
    return { passed: 0, failed: 1, skipped: 0, failures: [{ title: 'did not come to its end', error: message }] };
  }
}

function tools(name: string, ...commands: readonly (readonly [string, ...string[]])[]): Phase {
  return {
    name,
    run: async () => {
      for (const [tool, ...args] of commands) await runTool(tool, args);
      return onePassed;
    },
  };
}

function script(name: string, ...commands: readonly (readonly string[])[]): Phase {
  return {
    name,
    run: async () => {
      for (const args of commands) await runCommand(process.execPath, args);
      return onePassed;
    },
  };
}

async function mocha(
  folders: readonly string[],
  grep: string | undefined,
  more: Readonly<Record<string, string>> = {},
  options: readonly string[] = [],
): Promise<Counts> {
  const files = folders
    .map((folder) => `${folder}/**/*.test.ts`)
    .filter((pattern) => globSync(pattern, { cwd: repositoryRoot }).length > 0);
  if (files.length === 0) throw new Error('there are no tests');
  return await tallied(async (env) => {
    await runTool('mocha', [...options, ...files, ...(grep === undefined ? [] : ['--grep', grep])], {
      env: { ...env, ...more, RATCHET_TEST_LINGER: '30000' },
    });
  });
}

/** The panel alone, in a browser. */
async function inBrowser(grep: string | undefined): Promise<Counts> {
  return await mocha(['webview-ui'], grep, { CHROMIUM_PATH: await ensureChromium() }, sideBySide(3));
}

async function inHost(run: typeof runHostSuites, grep: string | undefined): Promise<Counts> {
  return await tallied(async (env) => {
    const code = await run(grep === undefined ? env : { ...env, RATCHET_TEST_GREP: grep });
    if (code !== 0) throw new Error(`the extension host ended with ${code}`);
  });
}

/** Counts what a mocha wrote. One that counted no failure and yet ended badly has failed outside its tests: one more. */
async function tallied(run: (env: Record<string, string>) => Promise<void>): Promise<Counts> {
  await rm(tallyFile, { force: true });
  let problem: unknown;
  try {
    await run({ RATCHET_TALLY: tallyFile });
  } catch (error) {
    problem = error;
  }
  const counts = await readTally();
  if (problem !== undefined && (counts?.failed ?? 0) === 0) {
    const message = messageOf(problem);
    console.error(message);
    const failures = [{ title: 'ended badly after its tests', error: message }];
    return { passed: counts?.passed ?? 0, failed: 1, skipped: counts?.skipped ?? 0, failures };
  }
  if (counts === undefined) throw new Error('it ended without saying what it ran');
  return counts;
}

async function readTally(): Promise<Counts | undefined> {
  try {
    return tallySchema.parse(JSON.parse(await readFile(tallyFile, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
