import assert from 'node:assert/strict';
import { RunStopped } from '../../../src/runner/runStopped.ts';
import { searchByPattern } from '../../../src/tools/globSearch.ts';
import { createGlobTool } from '../../../src/tools/globTool.ts';
import { call, createToolFolder, type ToolFolder } from './toolFolder.ts';

/** Matching it against the name below takes longer than anybody lives. */
const endless = `*${'a*'.repeat(28)}b`;

describe('a search by a pattern', function () {
  this.timeout(60_000);
  let place: ToolFolder;

  beforeEach(async () => {
    place = await createToolFolder();
    await place.put('a'.repeat(120), '');
  });
  afterEach(() => place.remove());

  it('refuses more alternatives than can be searched for, and says what to do', async () => {
    const result = await call(createGlobTool(), { pattern: '{a,b}'.repeat(20) }, place.context());
    assert.equal(result.outcome, 'failed');
    assert.match(result.content, /stand for 1,048,576 patterns; at most 1,000 .* Use "\*"/);
  });

  it('leaves this thread free, and ends on Stop, however long it would take', async () => {
    const stop = new AbortController();
    const plan = await createGlobTool().plan({ pattern: endless }, place.context({ signal: stop.signal }));
    const ended = plan.execute();
    let turns = 0;
    // The thread of the caller goes on meanwhile.
    while (turns < 50) {
      await new Promise((resolve) => setTimeout(resolve, 10));
      turns += 1;
    }
    stop.abort(new RunStopped('user'));
    assert.equal((await ended).outcome, 'cancelled');
  });

  it('is ended at its time limit, with what to do about it', async () => {
    const task = { root: place.folder, stepId: 's', input: { pattern: endless } };
    const { signal } = new AbortController();
    await assert.rejects(
      searchByPattern(task, signal, { timeMs: 1_500, memoryMb: 512 }),
      /not done after 1\.5 s\. Name more of the path/,
    );
  });

  it('finds what it is asked for, and gives the words of a refusal', async () => {
    await place.put('src/a.ts', '');
    assert.equal((await call(createGlobTool(), { pattern: '**/*.{ts,tsx}' }, place.context())).content, 'src/a.ts');
    assert.match((await call(createGlobTool(), { pattern: '../*' }, place.context())).content, /not permitted/);
  });
});
