// mocha's usual output, and the counts written to the file that RATCHET_TALLY names: how the test command adds up what
// several mochas ran, one of them inside an extension host.
const { writeFileSync } = require('node:fs');
const process = require('node:process');
const { reporters } = require('mocha');

module.exports = class TallyReporter extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const file = process.env['RATCHET_TALLY'];
    if (file === undefined) return;
    runner.once('end', () => {
      const { passes, failures, pending } = this.stats;
      writeFileSync(file, JSON.stringify({ passed: passes, failed: failures, skipped: pending }));
    });
  }
};
