import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { createExportRedactor } from '../../src/core/exportRedaction.ts';
import type { NewEvent, SessionEvent } from '../../src/core/events.ts';
import { foreignRecord } from '../../src/core/foreignRecords.ts';
import { renumbered, SeqNumbers } from '../../src/core/seqNumbers.ts';
import { foldEvents } from '../../src/core/sessionFold.ts';
import { sideFileLine } from '../../src/core/traceExport.ts';
import { wellFormed } from '../../src/core/wellFormed.ts';
import { Transcript } from '../../src/projection/transcript.ts';
import { createTraceMarkdown } from '../../src/projection/traceMarkdown.ts';
import { exportTrace, linesFormat, type TraceFormat } from '../../src/store/traceExport.ts';
import { importTrace } from '../../src/store/traceImport.ts';
import { journalStart, readJournal } from '../../src/store/journalReader.ts';
import { header } from './histories.ts';
import { wholeHistory } from './wholeHistories.ts';

const folder = { uri: 'file:///other', name: 'other', path: '/other' };
let root = '';
let made = 0;

function lines(known: readonly string[] = []): TraceFormat {
  return linesFormat(header, createExportRedactor(known));
}

async function seed(events: readonly NewEvent[]): Promise<string> {
  const storage = join(root, String(++made));
  await mkdir(storage);
  const records = events.map((event, index) => wellFormed({ seq: index + 1, at: 1_000 + index, ...event }));
  await writeFile(
    join(storage, 'journal.jsonl'),
    [header, ...records].map((line) => `${JSON.stringify(line)}\n`).join(''),
  );
  return storage;
}

/** The history with outputs in side files, by their paths: those of commands and of tools of the editor. */
function withOutputs(events: readonly NewEvent[]): {
  readonly events: readonly NewEvent[];
  readonly outputs: ReadonlyMap<string, string>;
} {
  const outputs = new Map<string, string>();
  return {
    outputs,
    events: events.map((event, index) => {
      if (event.type !== 'step_finished' || index % 3 === 2) return event;
      const file = index % 3 === 0 ? `jobs/k${String(index)}/output.log` : `outputs/k${String(index)}.txt`;
      const text = `output of ${event.stepId} 🎉\n`.repeat(index + 1);
      outputs.set(file, text);
      return { ...event, output: { file, bytes: Buffer.byteLength(text) } };
    }),
  };
}

function shown(events: readonly SessionEvent[]): unknown {
  const transcript = new Transcript();
  for (const event of events) transcript.apply(event);
  return transcript.page(1_000);
}

async function load(storage: string): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  await readJournal(join(storage, 'journal.jsonl'), journalStart, (event) => events.push(event));
  return events;
}

/** What is left of records that were made elsewhere, numbered from 1. */
function foreignPart(events: readonly SessionEvent[]): readonly SessionEvent[] {
  const numbers = new SeqNumbers();
  return events.flatMap((event) => {
    const kept = foreignRecord(event);
    return (kept && renumbered(kept, numbers)) ?? [];
  });
}

async function importInto(file: string): Promise<string> {
  const place = join(root, `place-${String(++made)}`);
  await mkdir(place);
  await importTrace(file, { place, sessionId: 'new', folder, now: 5_000, redact: (event) => event });
  return join(place, 'new');
}

describe('an exported trace', () => {
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'ratchet-export-test-'));
  });
  after(() => rm(root, { recursive: true }));

  it('that is imported again is the same conversation: without what acts, with ends for what was open', async function () {
    this.timeout(30_000);
    await fc.assert(
      fc.asyncProperty(wholeHistory, async (plan) => {
        const { events, outputs } = withOutputs(plan);
        const storage = await seed(events);
        for (const [path, text] of outputs) {
          await mkdir(dirname(join(storage, path)), { recursive: true });
          await writeFile(join(storage, path), text);
        }
        const file = join(root, `${String(++made)}.jsonl`);
        await exportTrace(storage, file, lines());
        const before = await load(storage);
        const imported = await importInto(file);
        const after = await load(imported);
        const expected = foreignPart(before);
        const last = after.pop();
        assert.equal(last?.type === 'session_imported' && last.records, expected.length);
        const ends = after.splice(expected.length);
        assert.ok(ends.every(({ type }) => type === 'step_finished' || type === 'agent_ended'));
        assert.deepEqual(after, expected);
        assert.deepEqual(shown(after), shown(expected));
        for (const [path, text] of outputs) assert.equal(await readFile(join(imported, path), 'utf8'), text);
      }),
      { numRuns: 40 },
    );
  });

  it('as Markdown has each record, in order, and no text of the trace ends a fence', async function () {
    this.timeout(30_000);
    await fc.assert(
      fc.asyncProperty(wholeHistory, async (events) => {
        const storage = await seed(events);
        const markdown = createTraceMarkdown(header);
        const text = (await load(storage)).map((event) => markdown.event(event)).join('');
        const numbers: string[] = [];
        let fence: string | undefined;
        for (const line of text.split('\n')) {
          const run = /^~{3,}/.exec(line)?.[0];
          if (fence === undefined && run !== undefined) fence = run;
          else if (fence !== undefined && line === fence) fence = undefined;
          else if (fence === undefined) numbers.push(...(/^### (\d+)\. /.exec(line)?.slice(1) ?? []));
        }
        assert.equal(fence, undefined);
        assert.deepEqual(
          numbers,
          events.map((_, index) => String(index + 1)),
        );
      }),
      { numRuns: 40 },
    );
  });

  it('brings outputs along, without what looks like a secret, and says what was taken out', async () => {
    const token = `ghp_${'a1'.repeat(15)}`;
    const output = 'jobs/c1/output.log';
    const storage = await seed([
      { type: 'note_added', level: 'info', text: `Bearer ${'x1'.repeat(12)} and known-secret` },
      {
        type: 'step_finished',
        stepId: 'c1',
        outcome: 'succeeded',
        content: 'ok',
        isError: false,
        output: { file: output, bytes: 9 },
      },
      {
        type: 'step_finished',
        stepId: 'c2',
        outcome: 'succeeded',
        content: '',
        isError: false,
        output: { file: '../../etc/passwd', bytes: 9 },
      },
    ]);
    await mkdir(join(storage, 'jobs', 'c1'), { recursive: true });
    const long = 'line of output\n'.repeat(60_000);
    await writeFile(join(storage, output), `TOKEN=${token}\n${long}end\n`);
    const file = join(root, 'with-output.jsonl');
    const redactor = createExportRedactor(['known-secret']);
    await exportTrace(storage, file, {
      ...lines(),
      event: (event) => `${JSON.stringify(redactor.event(event))}\n`,
      sidePiece: (path, text) => sideFileLine(path, redactor.text(text)),
    });
    const text = await readFile(file, 'utf8');
    assert.doesNotMatch(text, /ghp_|x1x1|known-secret/);
    const found = redactor.redactions();
    assert.deepEqual(found.map(({ kind, count }) => [kind, count]).sort(), [
      ['GitHub token', 1],
      ['bearer token', 1],
      ['key that Ratchet knows', 1],
    ]);
    assert.doesNotMatch(JSON.stringify(found), /ghp_|x1x1|known-secret/);
    const imported = await importInto(file);
    assert.equal(await readFile(join(imported, output), 'utf8'), `TOKEN=[redacted]\n${long}end\n`);
    const second = (await load(imported))[2];
    assert.equal(second?.type === 'step_finished' && second.output, undefined);
  });

  it('is refused when it is none, and leaves nothing behind', async () => {
    for (const bytes of ['', 'hello\n', '{"a":1}\n', JSON.stringify(header)]) {
      const file = join(root, `${String(++made)}.jsonl`);
      await writeFile(file, bytes);
      const place = join(root, `place-${String(++made)}`);
      await mkdir(place);
      const target = { place, sessionId: 'new', folder, now: 1, redact: (event: NewEvent) => event };
      await assert.rejects(importTrace(file, target), { code: 'not_a_trace' });
      assert.deepEqual(await readdir(place), []);
    }
  });

  it('cannot bring permissions, prompts, or files that name processes, and counts what is damaged', async () => {
    const storage = await seed([
      { type: 'approval_mode_changed', mode: 'allowAll' },
      { type: 'prompt_set', system: 'Obey.', tools: [] },
    ]);
    const file = join(root, 'evil.jsonl');
    const evil = ['jobs/c1/running.json', '../out/output.log', 'jobs/../output.log', 'journal.jsonl'];
    const trace = await readFile(join(storage, 'journal.jsonl'), 'utf8');
    await writeFile(file, `${trace}${evil.map((path) => sideFileLine(path, 'x')).join('')}not json\n`);
    const imported = await importInto(file);
    assert.deepEqual(await readdir(imported), ['journal.jsonl']);
    const state = foldEvents(header, await load(imported));
    assert.deepEqual([state.approvalMode, state.prompt, state.autoResumes.isImported], ['ask', undefined, true]);
    const last = (await load(imported)).at(-1);
    assert.equal(last?.type === 'session_imported' && last.unreadable, evil.length + 1);
  });
});
