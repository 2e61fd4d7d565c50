// What an extension host loads to run the in-host suites: mocha over the compiled *.test.cjs beside this file.
// Bundled by esbuild.mjs; RATCHET_TEST_GREP narrows the run, RATCHET_TALLY takes the counts, RATCHET_TEST_HOME is where the
// editor keeps everything, and what is printed begins with RATCHET_TEST_MARK.
import { globSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { format } from 'node:util';
import Mocha from 'mocha';
import '../support/patientLimits.ts';

/** Resolves when every test passed; throws with the number of failures otherwise. */
export async function run(): Promise<void> {
  // Out of out/test-host, which esbuild.mjs decides.
  const root = path.dirname(path.dirname(import.meta.dirname));
  const grep = process.env.RATCHET_TEST_GREP;
  const mark = process.env.RATCHET_TEST_MARK;
  if (mark !== undefined) {
    // Tells the reader of this console the suite's lines from those of the workbench.
    Mocha.reporters.Base.consoleLog = (...parts: readonly unknown[]) => {
      console.log(`${mark}${format(...parts)}`);
    };
  }
  const mocha = new Mocha({
    ui: 'bdd',
    reporter: path.join(root, 'scripts', 'tallyReporter.cjs'),
    timeout: 60_000,
    slow: 1000,
    forbidOnly: true,
    ...(grep === undefined ? {} : { grep: new RegExp(grep) }),
  });
  for (const file of globSync('**/*.test.cjs', { cwd: import.meta.dirname }).sort()) {
    mocha.addFile(path.join(import.meta.dirname, file));
  }
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  if (failures > 0) throw new Error(`${failures} in-host tests failed`);
}
