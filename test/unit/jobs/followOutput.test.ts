import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { shapeOutput } from '../../../src/core/jobOutput.ts';
import { finish, openJobsFixture, type JobsFixture } from './jobsFixture.ts';

describe('output of a job', () => {
  let fixture: JobsFixture;

  beforeEach(async () => {
    fixture = await openJobsFixture();
  });
  afterEach(() => fixture.dispose());

  const start = (command: string): Promise<void> => fixture.jobs.start({ key: 'step', command, cwd: fixture.cwd });

  it('50 MB come whole, in order, in small chunks, at the pace of the listener', async () => {
    const bytes = 50 * 1024 * 1024;
    await start(`yes 0123456789abcde | head -c ${bytes}`);
    let next = 0;
    let largest = 0;
    let isBusy = false;
    let overlaps = 0;
    const listener = async (chunk: Uint8Array, offset: number): Promise<void> => {
      if (isBusy) overlaps++;
      isBusy = true;
      assert.equal(offset, next);
      next += chunk.length;
      largest = Math.max(largest, chunk.length);
      // Some of them take longer than the next read would.
      for (let turn = 0; turn < (offset < 1_000_000 ? 200 : 1); turn++) await setImmediate();
      isBusy = false;
    };
    const exit = await fixture.jobs.follow('step', 0, listener, new AbortController().signal);
    assert.equal(next, bytes);
    assert.equal(overlaps, 0);
    assert.equal(exit.outputBytes, bytes);
    assert.equal(largest, 64 * 1024);

    const window = await fixture.jobs.readOutput('step', { headBytes: 32, tailBytes: 48 });
    assert.equal(window.head.length + window.tail.length, 80);
    const { text, omittedBytes, omittedLines } = shapeOutput(window);
    const line = '0123456789abcde\n';
    assert.equal(text, `${line.repeat(2)}[… 52,428,720 bytes, 3,276,795 lines left out …]\n${line.repeat(3)}`);
    assert.deepEqual([omittedBytes, omittedLines], [bytes - 80, 3_276_795]);
  });

  it('can be followed from the middle', async () => {
    await start('printf 0123456789');
    await finish(fixture.jobs, 'step');
    const seen: [string, number][] = [];
    const listener = (chunk: Uint8Array, offset: number): void =>
      void seen.push([Buffer.from(chunk).toString(), offset]);
    await fixture.jobs.follow('step', 4, listener, new AbortController().signal);
    assert.deepEqual(seen, [['456789', 4]]);
  });

  it('an abort ends the following with its reason, and not the job', async () => {
    await start('echo begun; until [ -e go ]; do sleep 0.02; done; echo ended');
    const abort = new AbortController();
    const reason = new Error('the user stopped');
    const stop = (): void => {
      abort.abort(reason);
    };
    const following = fixture.jobs.follow('step', 0, stop, abort.signal);
    await assert.rejects(following, (error) => error === reason);
    assert.equal((await fixture.jobs.find('step')).status, 'running');
    await writeFile(join(fixture.cwd, 'go'), '');
    assert.equal((await finish(fixture.jobs, 'step')).output, 'begun\nended\n');
  });

  it('a failing listener ends the following with its error', async () => {
    await start('echo line');
    const failing = (): never => {
      throw new TypeError('broken');
    };
    await assert.rejects(fixture.jobs.follow('step', 0, failing, new AbortController().signal), TypeError);
  });

  it('the end is seen although something in the background goes on writing', async () => {
    await start('(while :; do echo more; sleep 0.01; done) & echo done');
    const { exit, output } = await finish(fixture.jobs, 'step');
    assert.equal(exit.code, 0);
    assert.match(output, /done/);
  });

  it('a window is all there is when that is not much, or nothing', async () => {
    assert.equal((await fixture.jobs.readOutput('step', { headBytes: 5, tailBytes: 5 })).totalBytes, 0);
    await start('printf 0123456789');
    await finish(fixture.jobs, 'step');
    const all = await fixture.jobs.readOutput('step', { headBytes: 5, tailBytes: 5 });
    assert.deepEqual([Buffer.from(all.head).toString(), all.tail.length], ['0123456789', 0]);
    const ends = await fixture.jobs.readOutput('step', { headBytes: 2, tailBytes: 3 });
    assert.deepEqual([Buffer.from(ends.head).toString(), Buffer.from(ends.tail).toString()], ['01', '789']);
    assert.equal(ends.omittedLines, 0);
  });
});
