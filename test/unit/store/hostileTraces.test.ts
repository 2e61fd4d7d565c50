import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, open, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { NewEvent, SessionEvent } from '../../../src/core/events.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import { Transcript } from '../../../src/projection/transcript.ts';
import { createTraceMarkdown } from '../../../src/projection/traceMarkdown.ts';
import { journalStart, readJournal } from '../../../src/store/journalReader.ts';
import { importTrace } from '../../../src/store/traceImport.ts';

const folder = { uri: 'file:///other', name: 'other', path: '/other' };
const header = { ratchet: 'journal', format: 1, sessionId: 's', folder, createdAt: 1 } as const;
const note = (text: string): NewEvent => ({ type: 'note_added', level: 'info', text });
const line = (seq: number, event: NewEvent, at = seq): string => JSON.stringify({ seq, at, ...event });
const deep = (open: string, close: string, depth: number): string => open.repeat(depth) + close.repeat(depth);
const call = (input: string): string =>
  `{"seq":2,"at":2,"type":"step_started","stepId":"c1","runId":"r","tool":"run_command","input":{"a":${input}}}`;
const finished = (over: object): NewEvent => ({
  type: 'step_finished',
  stepId: 'c1',
  outcome: 'succeeded',
  content: 'ok',
  isError: false,
  ...over,
});
const answered = (over: object): NewEvent => ({
  type: 'assistant_message_completed',
  messageId: 'm',
  requestId: 'q',
  model: 'm',
  content: [],
  stopReason: 'end_turn',
  usage: { inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
  ...over,
});

/** Each is one line that cannot be taken, between two that can. */
const oneLine: Readonly<Record<string, string>> = {
  'an input that is nested 100,000 deep': call(deep('[', ']', 100_000)),
  'an input of objects that is nested 100,000 deep': call(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  'an input that is nested 900 deep': call(deep('[', ']', 900)),
  'ten megabytes of brackets that never close': `{"seq":2,"at":2,"type":"x","a":${'['.repeat(10_000_000)}`,
  'ten million empty objects': `{"seq":2,"at":2,"type":"x","a":[${'{},'.repeat(10_000_000)}{}]}`,
  'a name of 10,000 characters': line(2, { ...answered({ model: 'm'.repeat(10_000) }) }),
  'an id of 10,000 characters': line(2, finished({ stepId: 'c'.repeat(10_000) })),
  'a number that is none of anything': line(2, finished({ durationMs: 1e308 })),
  'usage beyond what can be counted': line(
    2,
    answered({ usage: { inputTokens: 1e300, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 } }),
  ),
  'the year 275760': line(2, note('late'), 8.64e15),
  'a time before there was any': line(2, note('early'), -1),
  'a time beyond all': '{"seq":2,"at":1e999,"type":"note_added","level":"info","text":"x"}',
  'a number of 2^53': `{"seq":9007199254740992,"at":2,"type":"note_added","level":"info","text":"x"}`,
  'the same number again': line(1, note('again')),
  'half a line': '{"seq":2,"at":2,"type":"note_',
  'nothing but zeros': '\0'.repeat(5_000),
  'bytes that are no text': '\ufffd\ufffd\u0001\u0002',
};

/** Each is odd, and taken as it is. */
const taken: Readonly<Record<string, string>> = {
  'half a surrogate pair': '{"seq":2,"at":2,"type":"note_added","level":"info","text":"\\ud83d"}',
  'a key called __proto__':
    '{"seq":2,"at":2,"type":"step_started","stepId":"__proto__","runId":"r","tool":"constructor","input":{"__proto__":{"polluted":1}}}',
  'NUL in a text': line(2, note('a\0b')),
  'minus zero': '{"seq":2,"at":-0,"type":"note_added","level":"info","text":"x"}',
  'a line end of Windows': `${line(2, note('x'))}\r`,
};

describe('a trace that means harm', function () {
  this.timeout(120_000);
  let root = '';
  let place = '';
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'ratchet-hostile-'));
    place = join(root, 'place');
    await mkdir(place);
  });
  afterEach(() => rm(root, { recursive: true }));

  const importFrom = (file: string) =>
    importTrace(file, { place, sessionId: 'new', folder, now: 5, redact: (event) => event });
  async function fileOf(text: string | Uint8Array): Promise<string> {
    const file = join(root, 'trace.jsonl');
    await writeFile(file, text);
    return file;
  }
  const around = (middle: string): string =>
    [JSON.stringify(header), line(1, note('before')), middle, line(3, note('after'))]
      .map((each) => `${each}\n`)
      .join('');

  async function opened(): Promise<readonly SessionEvent[]> {
    const events: SessionEvent[] = [];
    await readJournal(join(place, 'new', 'journal.jsonl'), journalStart, (event) => events.push(event));
    // What is made of it does not fail either.
    foldEvents(header, events);
    const transcript = new Transcript();
    const markdown = createTraceMarkdown(header);
    for (const event of events) {
      transcript.apply(event);
      markdown.event(event);
    }
    return events;
  }
  const textsOf = (events: readonly SessionEvent[]): readonly string[] =>
    events.flatMap((event) => (event.type === 'note_added' ? [event.text] : []));

  for (const [what, middle] of Object.entries(oneLine)) {
    it(`loses one line by ${what}`, async () => {
      const { records, unreadable } = await importFrom(await fileOf(around(middle)));
      assert.deepEqual({ records, unreadable }, { records: 2, unreadable: 1 });
      assert.deepEqual(textsOf(await opened()), ['before', 'after']);
    });
  }

  for (const [what, middle] of Object.entries(taken)) {
    it(`is read with ${what}`, async () => {
      const { records, unreadable } = await importFrom(await fileOf(around(middle)));
      assert.deepEqual({ records, unreadable }, { records: 3, unreadable: 0 });
      const events = await opened();
      assert.ok(events.every((event) => JSON.stringify(event).isWellFormed()));
      assert.equal(({} as { polluted?: number }).polluted, undefined);
    });
  }

  it('is read behind a byte order mark, and with a last line that was torn', async () => {
    const { records, unreadable } = await importFrom(await fileOf(`\ufeff${around(line(2, note('x')))}{"seq":4`));
    assert.deepEqual({ records, unreadable }, { records: 3, unreadable: 1 });
  });

  it('holds at most a line of 200 MB in no memory', async () => {
    const file = join(root, 'long.jsonl');
    const stream = createWriteStream(file);
    stream.write(`${JSON.stringify(header)}\n${line(1, note('before'))}\n`);
    const piece = '['.repeat(1_000_000);
    for (let mb = 0; mb < 200; mb++) if (!stream.write(piece)) await once(stream, 'drain');
    stream.end(`\n${line(3, note('after'))}\n`);
    await once(stream, 'finish');
    const before = process.memoryUsage().rss;
    assert.deepEqual(await importFrom(file), { sessionId: 'new', records: 2, unreadable: 1, leftOut: 0 });
    assert.ok(process.memoryUsage().rss - before < 150e6, 'it was not held');
  });

  it('is not one when it is a folder, a pipe, a device or empty; nothing is waited for and nothing is left', async () => {
    const pipe = join(root, 'pipe.jsonl');
    execFileSync('mkfifo', [pipe]);
    const empty = await fileOf('');
    for (const file of [root, pipe, '/dev/zero', empty, await fileOf('\n')])
      await assert.rejects(importFrom(file), { code: 'not_a_trace' }, file);
    assert.deepEqual(await readdir(place), []);
  });

  it('is not one when it is compressed, and what to do is said', async () => {
    const file = await fileOf(gzipSync(around(line(2, note('x')))));
    await assert.rejects(importFrom(file), { code: 'not_a_trace', message: /compressed.*gunzip/ });
  });

  it('is not read when it has no end that anybody waits for', async () => {
    const file = await fileOf(around(line(2, note('x'))));
    await truncate(file, 3 * 1024 ** 3);
    await assert.rejects(importFrom(file), { code: 'not_a_trace', message: /more than 2/ });
  });

  it('is read up to where it ended when it was opened, while somebody goes on writing it', async () => {
    const file = await fileOf(around(line(2, note('x'))));
    const writer = await open(file, 'a');
    let isOver = false;
    const growing = (async () => {
      for (let seq = 4; !isOver; seq++) await writer.write(`${line(seq, note('more'))}\n`);
    })();
    const { records } = await importFrom(file);
    isOver = true;
    await growing;
    await writer.close();
    assert.ok(records < 100_000, String(records));
    assert.ok((await opened()).length >= 3);
  });
});
