import assert from 'node:assert/strict';
import { sendCases } from '../sends/sendCases.ts';
import { SendRun } from '../sends/sendRun.ts';
import { keepFailureEvidence } from '../support/workbench/failureEvidence.ts';

// The whole of it is `npm run sends`.
const kills = 9;

describe('a message and what is killed within a second of its key press', function () {
  this.timeout(360_000);
  let run: SendRun | undefined;
  keepFailureEvidence(() => run?.editor.evidence() ?? { server: undefined, workbench: undefined });

  before(async () => {
    run = await SendRun.start();
  });
  after(async () => {
    await run?.dispose();
  });

  it('is in the input or in the trace afterwards, and with the model once', async () => {
    assert.ok(run !== undefined);
    const results = [];
    for (const one of sendCases(1, kills)) results.push(await run.try(one));
    assert.deepEqual(
      results.filter(({ outcome }) => outcome === 'lost' || outcome === 'doubled'),
      [],
    );
    assert.equal(results.length, kills);
  });
});
