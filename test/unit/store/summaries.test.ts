import assert from 'node:assert/strict';
import { open, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { NewEvent } from '../../../src/core/events.ts';
import { readSummary } from '../../../src/store/sessionSummary.ts';
import { folder, headerLine, lines, note, runStarted, useStore, userMessage } from './storeFixture.ts';

const titled: NewEvent = { type: 'title_changed', title: 'Go.', by: 'first_message' };
const asked: NewEvent = {
  type: 'assistant_message_completed',
  messageId: 'm2',
  requestId: 'q1',
  model: 'm',
  content: [{ type: 'tool_use', id: 'c1', name: 'run_command', input: { command: 'python tune.py' } }],
  stopReason: 'tool_use',
  usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
};
const started: Extract<NewEvent, { type: 'step_started' }> = {
  type: 'step_started',
  stepId: 'c1',
  runId: 'r1',
  tool: 'run_command',
  input: { command: 'python tune.py' },
};
const finished: Extract<NewEvent, { type: 'step_finished' }> = {
  type: 'step_finished',
  stepId: 'c1',
  outcome: 'cancelled',
  content: 'x',
  isError: true,
};
const ended = (outcome: 'done' | 'failed' | 'cancelled' | 'timed_out'): NewEvent => ({
  type: 'run_ended',
  runId: 'r1',
  outcome,
});

describe('store: a session in one row', () => {
  const store = useStore();
  const summaryOf = async (events: readonly NewEvent[]): Promise<Awaited<ReturnType<typeof readSummary>>> => {
    await store().seed('s', headerLine('s') + lines(events));
    return readSummary(store().storage('s'));
  };

  for (const [what, events, state, cut] of [
    ['nothing in it', [], 'created', undefined],
    [
      'a run that is open in a step',
      [runStarted, userMessage, titled, asked, started],
      'interrupted',
      'running python tune.py',
    ],
    [
      'a run that was stopped in a step',
      [runStarted, userMessage, titled, asked, started, finished, ended('cancelled')],
      'cancelled',
      'running python tune.py',
    ],
    [
      'a run that was stopped while the model answered',
      [runStarted, userMessage, titled, ended('cancelled')],
      'cancelled',
      undefined,
    ],
    [
      'a run that ended',
      [runStarted, userMessage, titled, asked, started, { ...finished, outcome: 'succeeded' }, ended('done')],
      'done',
      undefined,
    ],
    ['a run that failed', [runStarted, userMessage, titled, ended('failed')], 'failed', undefined],
    ['a run that ran out of time', [runStarted, userMessage, titled, ended('timed_out')], 'timed_out', undefined],
  ] as const) {
    it(`${what}: ${state}`, async () => {
      const summary = await summaryOf(events);
      assert.deepEqual([summary?.id, summary?.state, summary?.cut], ['s', state, cut]);
      assert.equal(summary?.hasWork, events.length > 0);
      assert.equal(summary.title, events.length > 0 ? 'Go.' : '');
      assert.deepEqual(summary.folder, folder);
      assert.equal(summary.updatedAt, events.length > 0 ? 2_000 + events.length - 1 : 1_000);
    });
  }

  it('is the same from the cache, after the cache is gone, and with a cache that is garbage', async () => {
    const summary = await summaryOf([runStarted, userMessage, titled, asked, started]);
    assert.deepEqual(await readSummary(store().storage('s')), summary);
    const cache = join(store().storage('s'), 'summary.json');
    await writeFile(cache, '{"version":1,');
    assert.deepEqual(await readSummary(store().storage('s')), summary);
    await rm(cache);
    assert.deepEqual(await readSummary(store().storage('s')), summary);
  });

  it('does not believe a cache of another length of the journal', async () => {
    await summaryOf([runStarted, userMessage, titled]);
    await store().seed('s', headerLine('s') + lines([runStarted, userMessage, titled, ended('done')]));
    assert.equal((await readSummary(store().storage('s')))?.state, 'done');
  });

  for (const [what, tail, state, cut] of [
    ['a run that is open', [asked, started], 'interrupted', 'running python tune.py'],
    ['a run that was stopped', [asked, started, finished, ended('cancelled')], 'cancelled', 'running python tune.py'],
    ['a run that ended', [asked, started, { ...finished, outcome: 'succeeded' }, ended('done')], 'done', undefined],
  ] as const) {
    it(`is found at the two ends of a journal of 50 MB, which is never read whole: ${what}`, async function () {
      this.timeout(20_000);
      const middle = 50 * 1024 * 1024;
      const filler: NewEvent = { type: 'note_added', level: 'info', text: 'x'.repeat(64 * 1024) };
      const count = Math.ceil(middle / (64 * 1024));
      // The run began in the head, and an earlier step of it stands open there.
      const head = headerLine('s') + lines([runStarted, userMessage, titled, { ...started, stepId: 'c0' }]);
      await store().seed('s', '');
      const file = await open(store().journal('s'), 'w');
      await file.write(head);
      for (let n = 0; n < count; n++) await file.write(lines([filler], 5 + n));
      await file.write(lines(tail, 5 + count));
      await file.close();

      const before = await bytesRead();
      const summary = await readSummary(store().storage('s'));
      const read = (await bytesRead()) - before;
      assert.deepEqual([summary?.state, summary?.cut, summary?.title], [state, cut, 'Go.']);
      assert.ok(read < 2 * 1024 * 1024, `read ${String(read)} bytes`);
    });
  }

  it('knows a session whose first message is longer than what is read of it', async () => {
    const long = { ...userMessage, text: 'x'.repeat(3 * 1024 * 1024) } as const;
    const failed: NewEvent = { type: 'request_failed', requestId: 'q1', error: { code: 'unreachable', message: 'x' } };
    const filler = Array.from({ length: 40 }, () => note('x'.repeat(64 * 1024)));
    const summary = await summaryOf([runStarted, titled, long, ...filler, failed, ended('failed')]);
    assert.deepEqual([summary?.title, summary?.state, summary?.hasWork], ['Go.', 'failed', true]);
  });

  it('keeps the title that it knew when the renaming is neither at the beginning nor at the end any more', async () => {
    const filler = note('x'.repeat(300 * 1024));
    const renamed: NewEvent = { type: 'title_changed', title: 'Tuning', by: 'user' };
    await summaryOf([runStarted, userMessage, titled, filler, renamed, ended('done')]);
    const summary = await summaryOf([
      runStarted,
      userMessage,
      titled,
      filler,
      renamed,
      ended('done'),
      filler,
      filler,
      { ...started, runId: 'r2' },
    ]);
    assert.deepEqual([summary?.title, summary?.state], ['Tuning', 'interrupted']);
  });
});

/** What this process has read so far, as the system counts it. */
async function bytesRead(): Promise<number> {
  if (process.platform !== 'linux') return 0;
  return Number(/^rchar: (\d+)$/m.exec(await readFile('/proc/self/io', 'utf8'))?.[1]);
}

describe('store: the list of a folder', () => {
  const store = useStore();

  it('has the newest first, and only what belongs to the folder', async () => {
    const window = store().window('w');
    assert.deepEqual(await window.list(folder.uri), []);
    await store().seed('old', headerLine('old') + lines([note('a')]));
    await store().seed('new', headerLine('new') + lines([note('a'), note('b')]));
    await window.create({ ...folder, uri: 'file:///elsewhere' });
    assert.deepEqual(
      (await window.list(folder.uri)).map(({ id }) => id),
      ['new', 'old'],
    );
  });

  it('says running of what a living window owns, and interrupted of what nobody does', async () => {
    await store().seed('s', headerLine('s') + lines([runStarted, userMessage]));
    const stateNow = async (): Promise<string | undefined> => (await store().window('w').list(folder.uri))[0]?.state;
    assert.equal(await stateNow(), 'interrupted');
    const journal = await (await store().window('other').open('s')).claim(() => undefined);
    assert.equal(await stateNow(), 'running');
    await journal?.close();
    assert.equal(await stateNow(), 'interrupted');
  });

  it('is not stopped by stray files', async () => {
    await store().seed('s', headerLine('s'));
    await writeFile(join(store().root, 'stray'), 'x');
    await writeFile(join(store().storage('s'), '..', 'stray'), 'x');
    assert.deepEqual(
      (await store().window('w').list(folder.uri)).map(({ id }) => id),
      ['s'],
    );
    await store().window('w').open('s');
  });

  it('moves a session to the trash and back, with all that belongs to it', async () => {
    await store().seed('s', headerLine('s') + lines([note('a')]));
    await writeFile(join(store().storage('s'), 'output.log'), 'long');
    const window = store().window('w');
    const where = await window.moveToTrash('s');
    assert.equal(await readFile(join(where, 'output.log'), 'utf8'), 'long');
    assert.deepEqual(await window.list(folder.uri), []);
    await assert.rejects(window.open('s'), { code: 'not_found' });
    await window.restoreFromTrash('s');
    assert.equal(await readFile(join(store().storage('s'), 'output.log'), 'utf8'), 'long');
    assert.deepEqual(
      (await window.list(folder.uri)).map(({ id }) => id),
      ['s'],
    );
    await assert.rejects(window.restoreFromTrash('s'), { code: 'not_found' });
  });
});
