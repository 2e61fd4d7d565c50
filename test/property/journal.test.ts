import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import fc from 'fast-check';
import type { NewEvent, SessionEvent } from '../../src/core/events.ts';
import { journalStart, readJournal, type ReadResult } from '../../src/store/journalReader.ts';
import { JournalFileWriter, createJournal, type WriterOptions } from '../../src/store/journalWriter.ts';
import { header, history } from './histories.ts';

const options: WriterOptions = { now: () => 1_700_000_000_001, redact: (event) => event, assertOwner: () => undefined };
const newline = 0x0a;

let root = '';
let files = 0;

async function written(
  events: readonly NewEvent[],
): Promise<{ readonly file: string; readonly events: readonly SessionEvent[] }> {
  const file = join(root, `${String(++files)}.jsonl`);
  await createJournal(file, header.sessionId, header.folder, header.createdAt);
  const size = (await readFile(file)).length;
  const writer = await JournalFileWriter.open(file, { offset: size, lastSeq: 0 }, options);
  const stamped = await writer.append(events);
  await writer.close();
  return { file, events: stamped };
}

async function load(file: string): Promise<ReadResult & { readonly events: readonly SessionEvent[] }> {
  const events: SessionEvent[] = [];
  const result = await readJournal(file, journalStart, (event) => events.push(event));
  return { ...result, events };
}

function linesOf(bytes: Buffer): Buffer[] {
  const lines: Buffer[] = [];
  for (let start = 0, end = bytes.indexOf(newline); end !== -1; start = end + 1, end = bytes.indexOf(newline, start)) {
    lines.push(bytes.subarray(start, end + 1));
  }
  return lines;
}

/** Whether all of `wanted` are in `found`, in this order. */
function assertKept(found: readonly SessionEvent[], wanted: readonly SessionEvent[]): void {
  const json = found.map((event) => JSON.stringify(event));
  let from = 0;
  for (const event of wanted) {
    const at = json.indexOf(JSON.stringify(event), from);
    assert.notEqual(at, -1, `lost: ${JSON.stringify(event)}`);
    from = at + 1;
  }
}

type Damage = 'line_deleted' | 'byte_changed' | 'nul_block' | 'crlf' | 'bom' | 'line_doubled' | 'garbage_line';

describe('journal: any damage to the file', () => {
  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'ratchet-journal-'));
  });
  after(() => rm(root, { recursive: true }));

  it('a cut at any byte loses nothing that stands before it, and the file can be written on', async function () {
    this.timeout(30_000);
    await fc.assert(
      fc.asyncProperty(history, fc.double({ min: 0, max: 1, noNaN: true }), async (newEvents, where) => {
        const { file, events } = await written(newEvents);
        const bytes = await readFile(file);
        const cut = Math.floor(where * bytes.length);
        await writeFile(file, bytes.subarray(0, cut));
        const whole = linesOf(bytes.subarray(0, cut)).length;
        const loaded = await load(file);
        assert.equal(loaded.header !== undefined, whole > 0);
        assert.deepEqual(loaded.events, events.slice(0, Math.max(0, whole - 1)));
        assert.deepEqual(loaded.damage, { unreadableLines: 0, unknownRecords: 0, missingRecords: 0 });
        if (whole === 0) return;

        const writer = await JournalFileWriter.open(file, loaded.position, options);
        const [added] = await writer.append([{ type: 'note_added', level: 'info', text: 'after' }]);
        await writer.close();
        const again = await load(file);
        assert.deepEqual(again.events, [...loaded.events, added]);
        assert.equal(added?.seq, loaded.events.length + 1);
        const torn = bytes.subarray(loaded.position.offset, cut);
        const beside = `${file}.torn-${String(loaded.position.offset)}`;
        if (torn.length > 0) assert.deepEqual(await readFile(beside), torn);
        else assert.ok(!(await readdir(root)).includes(basename(beside)));
      }),
      { numRuns: 300 },
    );
  });

  it('a damaged line costs itself at most, and is counted', async function () {
    this.timeout(30_000);
    const damage = fc.constantFrom<Damage[]>(
      'line_deleted',
      'byte_changed',
      'nul_block',
      'crlf',
      'bom',
      'line_doubled',
      'garbage_line',
    );
    await fc.assert(
      fc.asyncProperty(
        history,
        damage,
        fc.nat(),
        fc.nat(),
        fc.integer({ min: 0, max: 255 }),
        async (newEvents, kind, which, where, byte) => {
          const { file, events } = await written(newEvents);
          const lines = linesOf(await readFile(file));
          // Line 0 is the header, line n the event n.
          const hit = 1 + (which % events.length);
          await writeFile(file, damaged(lines, kind, hit, where, byte));
          const { header: found, events: loaded, damage: counted } = await load(file);
          assert.deepEqual(found, header);
          const costs = kind === 'line_deleted' || kind === 'byte_changed';
          const others = costs ? events.filter((_event, index) => index !== hit - 1) : events;
          assertKept(loaded, others);
          const lost = events.length - loaded.length;
          assert.ok(lost >= 0 && lost <= (costs ? 1 : 0));
          const reported = counted.unreadableLines + counted.unknownRecords + counted.missingRecords;
          const isLast = hit === events.length;
          if (lost === 1 && !isLast) assert.ok(reported > 0, 'what was lost is counted');
          if (kind === 'garbage_line' || kind === 'line_doubled') assert.ok(counted.unreadableLines > 0);
          if (kind === 'nul_block' || kind === 'crlf' || kind === 'bom') assert.equal(reported, 0);
        },
      ),
      { numRuns: 400 },
    );
  });

  it('a damaged header costs no event', async () => {
    await fc.assert(
      fc.asyncProperty(history, async (newEvents) => {
        const { file, events } = await written(newEvents);
        const lines = linesOf(await readFile(file));
        await writeFile(file, Buffer.concat([Buffer.from('{"ratchet":\n'), ...lines.slice(1)]));
        const loaded = await load(file);
        assert.equal(loaded.header, undefined);
        assert.deepEqual(loaded.events, events);
        assert.equal(loaded.damage.unreadableLines, 1);
      }),
      { numRuns: 30 },
    );
  });

  it('appends at the same time keep their order, one number after the other', async function () {
    this.timeout(30_000);
    const batches = fc.array(
      fc.record({ size: fc.integer({ min: 1, max: 4 }), durable: fc.boolean(), pause: fc.boolean() }),
      { minLength: 1, maxLength: 12 },
    );
    await fc.assert(
      fc.asyncProperty(batches, async (plan) => {
        const { file } = await written([]);
        const writer = await JournalFileWriter.open(
          file,
          { offset: (await readFile(file)).length, lastSeq: 0 },
          options,
        );
        const acknowledged: number[] = [];
        const pending: Promise<readonly SessionEvent[]>[] = [];
        for (const [index, { size, durable, pause }] of plan.entries()) {
          const events: NewEvent[] = Array.from({ length: size }, (_, n) => ({
            type: 'note_added',
            level: 'info',
            text: `${String(index)}.${String(n)}`,
          }));
          const promise = durable ? writer.appendDurable(events) : writer.append(events);
          pending.push(promise.then((stamped) => (acknowledged.push(index), stamped)));
          if (pause) await promise;
        }
        const stamped = (await Promise.all(pending)).flat();
        await writer.close();
        assert.deepEqual(
          acknowledged,
          plan.map((_, index) => index),
        );
        assert.deepEqual(
          stamped.map(({ seq }) => seq),
          stamped.map((_, index) => index + 1),
        );
        assert.deepEqual((await load(file)).events, stamped);
        await assert.rejects(writer.append([]), { code: 'storage' });
      }),
      { numRuns: 80 },
    );
  });
});

function damaged(lines: readonly Buffer[], kind: Damage, hit: number, where: number, byte: number): Buffer {
  const line = lines[hit] ?? Buffer.alloc(0);
  const replaced = (...by: readonly Buffer[]): Buffer =>
    Buffer.concat([...lines.slice(0, hit), ...by, ...lines.slice(hit + 1)]);
  switch (kind) {
    case 'line_deleted':
      return replaced();
    case 'byte_changed': {
      const changed = Buffer.from(line);
      // Not the newline at the end: losing that fuses two lines, which is another kind of damage.
      changed[where % (line.length - 1)] = byte;
      return replaced(changed);
    }
    case 'line_doubled':
      return replaced(line, line);
    case 'garbage_line':
      return replaced(Buffer.from('{"seq":\u0000,garbage\n'), line);
    case 'nul_block':
      return Buffer.concat([...lines, Buffer.alloc(4_096)]);
    case 'crlf':
      return Buffer.concat(lines.flatMap((one) => [one.subarray(0, -1), Buffer.from('\r\n')]));
    case 'bom':
      return Buffer.concat([Buffer.from('\uFEFF'), ...lines]);
  }
}
