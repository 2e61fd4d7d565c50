import assert from 'node:assert/strict';
import { runCases, type Summary } from '../crash/runCases.ts';

// The short form of `npm run crash`: every named place once, and as many kills in resumes and at random times.
describe('a session whose processes are killed', () => {
  let summary: Summary;

  before(async function () {
    this.timeout(900_000);
    if (process.platform !== 'linux') this.skip();
    summary = await runCases({ seed: 1, kills: 200, parallel: 4, keep: false });
  });

  it('comes to its end as if nothing had happened, every time', () => {
    const broken = summary.failed.flatMap(({ number, violations }) =>
      violations.map(({ rule, detail }) => `npm run crash -- --seed 1 --case ${number}: ${rule}: ${detail}`),
    );
    assert.deepEqual(broken, []);
  });

  it('runs no step twice and loses none', () => {
    const { stepsRunTwice, stepsLost } = summary;
    assert.deepEqual({ stepsRunTwice, stepsLost }, { stepsRunTwice: 0, stepsLost: 0 });
  });

  it('sends nothing that is refused and leaves no process behind', () => {
    const { refused, leftOver } = summary;
    assert.deepEqual({ refused, leftOver }, { refused: 0, leftOver: 0 });
  });

  it('was killed 200 times at least, at every named place', () => {
    assert.ok(summary.kills >= 200, `${summary.kills} kills`);
    assert.deepEqual(summary.unreached, []);
  });
});
