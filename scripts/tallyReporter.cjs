// mocha's usual output, and the counts and failures written to the file that RATCHET_TALLY names: how the test command
// adds up what several mochas ran, one of them inside an extension host. RATCHET_TEST_LINGER is how many milliseconds
// mocha may take to end after its last test: longer means that a test left something open, and counts as a failure.
const { writeFileSync } = require('node:fs');
const process = require('node:process');
const { reporters } = require('mocha');

function textOf(error) {
  return String(error?.stack ?? error?.message ?? error);
}

module.exports = class TallyReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const { RATCHET_TALLY: file, RATCHET_TEST_LINGER: linger } = process.env;
    if (file === undefined) return;
    const tally = (leaks) => {
      const { passes, failures, pending } = this.stats;
      const failed = this.failures.map((test) => ({ title: test.fullTitle(), error: textOf(test.err) }));
      writeFileSync(
        file,
        JSON.stringify({ passed: passes, failed: failures + leaks, skipped: pending, failures: failed }),
      );
    };
    runner.once('end', () => {
      tally(0);
      if (linger === undefined) return;
      // Fires only if something else keeps the process alive.
      setTimeout(() => {
        const open = process.getActiveResourcesInfo().join(', ');
        console.error(`The tests have ended, but something they left open keeps mocha running: ${open}`);
        tally(1);
        process.exit();
      }, Number(linger)).unref();
    });
  }
};
