import assert from 'node:assert/strict';
import { appendFile, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewEvent, SessionEvent } from '../../../src/core/events.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import { sideFileLine } from '../../../src/core/traceExport.ts';
import { takeSideFiles } from '../../../src/store/forkFiles.ts';
import { journalStart, readJournal } from '../../../src/store/journalReader.ts';
import { importTrace } from '../../../src/store/traceImport.ts';
import { keepContent, readKept } from '../../../src/tools/keptContent.ts';

const folder = { uri: 'file:///other', name: 'other', path: '/other' };
const header = { ratchet: 'journal', format: 1, sessionId: '../../s', folder, createdAt: 1 } as const;
const note = (text: string): NewEvent => ({ type: 'note_added', level: 'info', text });

describe('a trace from anybody', () => {
  let root = '';
  let place = '';
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'ratchet-import-'));
    place = join(root, 'place');
    await mkdir(place);
  });
  afterEach(() => rm(root, { recursive: true }));

  const importFrom = (file: string) =>
    importTrace(file, { place, sessionId: 'new', folder, now: 5, redact: (event) => event });
  async function traceOf(...lines: readonly object[]): Promise<string> {
    const file = join(root, 'trace.jsonl');
    await writeFile(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    return file;
  }
  async function imported(): Promise<readonly SessionEvent[]> {
    const events: SessionEvent[] = [];
    await readJournal(join(place, 'new', 'journal.jsonl'), journalStart, (event) => events.push(event));
    return events;
  }

  it('of a later version is refused in words that say what to do, and leaves nothing behind', async () => {
    const file = await traceOf({ ...header, format: 2 }, { seq: 1, at: 1, ...note('x') });
    await assert.rejects(importFrom(file), { code: 'unsupported_format', message: /Update Ratchet/ });
    await assert.rejects(importFrom(join(root, 'gone.jsonl')), { code: 'ENOENT' });
    assert.deepEqual(await readdir(place), []);
  });

  it('passes over a line of 100 MB without holding it, counts it, and goes on behind it', async function () {
    this.timeout(60_000);
    const file = await traceOf(header, { seq: 1, at: 1, ...note('before') });
    await appendFile(file, '{"seq":2,"at":2,"type":"note_added","level":"info","text":"');
    for (let mb = 0; mb < 100; mb++) await appendFile(file, 'x'.repeat(1_000_000));
    await appendFile(file, `"}\n${JSON.stringify({ seq: 3, at: 3, ...note('after') })}\n`);
    const before = process.memoryUsage().rss;
    assert.deepEqual(await importFrom(file), { sessionId: 'new', records: 2, unreadable: 1, leftOut: 0 });
    assert.ok(process.memoryUsage().rss - before < 90e6, 'it was not held');
    const texts = (await imported()).map((event) => (event.type === 'note_added' ? event.text : event.type));
    assert.deepEqual(texts, ['before', 'after', 'session_imported']);
  });

  it('brings no permission along by numbers that none can follow', async () => {
    const largest = Number.MAX_SAFE_INTEGER;
    const allow = { type: 'approval_mode_changed', mode: 'allowAll' } as const;
    const file = await traceOf(header, { seq: 1, at: 1, ...allow }, { seq: largest, at: 2, ...note('far') });
    assert.deepEqual(await importFrom(file), { sessionId: 'new', records: 1, unreadable: 0, leftOut: 1 });
    const events = await imported();
    assert.deepEqual(
      events.map(({ seq, type }) => [seq, type]),
      [
        [1, 'note_added'],
        [2, 'session_imported'],
      ],
    );
    assert.equal(foldEvents({ ...header, sessionId: 'new' }, events).approvalMode, 'ask');
  });

  it('is a session of its own whatever ids it names, and no job of it is one here', async () => {
    const intent = { kind: 'job', key: '../../s2/jobs/c1', command: 'sleep 9' } as const;
    const step = { type: 'step_started', stepId: '../c1', runId: 'r', tool: 'run_command', input: {}, intent } as const;
    const good = { ...step, stepId: 'c2', intent: { ...intent, key: 'c2.3' } };
    await importFrom(await traceOf(header, { seq: 1, at: 1, ...step }, { seq: 2, at: 2, ...good }));
    assert.deepEqual(await readdir(place), ['new']);
    const events = await imported();
    assert.doesNotMatch(JSON.stringify(events), /intent|sleep 9/);
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'step_finished' ? [[event.stepId, event.outcome]] : [])),
      [
        ['../c1', 'cut'],
        ['c2', 'cut'],
      ],
    );
  });

  it('brings the outputs of commands and tools along', async () => {
    const file = await traceOf(header);
    for (const path of ['jobs/c1/output.log', 'outputs/c2.txt', 'outputs/../journal.jsonl', 'outputs/c3.txt.sh'])
      await appendFile(file, sideFileLine(path, 'first\n') + sideFileLine(path, 'second\n'));
    assert.deepEqual(await importFrom(file), { sessionId: 'new', records: 0, unreadable: 4, leftOut: 0 });
    for (const path of ['jobs/c1/output.log', 'outputs/c2.txt'])
      assert.equal(await readFile(join(place, 'new', path), 'utf8'), 'first\nsecond\n');
    assert.deepEqual((await readdir(join(place, 'new'))).sort(), ['jobs', 'journal.jsonl', 'outputs']);
  });

  it('reaches no file by what it has in the place of a hash', async () => {
    const storage = join(root, 'storage');
    await mkdir(join(storage, 'kept'), { recursive: true });
    await writeFile(join(storage, 'journal.jsonl'), 'secret');
    assert.equal(await readKept(storage, '../journal.jsonl'), undefined);
    await assert.rejects(keepContent(storage, '../other', Buffer.from('x')), RangeError);
    const fork = join(root, 'fork');
    await takeSideFiles(storage, fork, { events: [], outputs: new Set(), contents: new Set(['../journal.jsonl']) });
    await assert.rejects(readdir(fork), { code: 'ENOENT' });
  });
});
