import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { glob, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SessionEvent } from '../../../src/core/events.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import { defaultRules } from '../../support/messagesServer/validationRules.ts';
import { readMessagesRequest } from '../../support/messagesServer/validateRequest.ts';
import { goldenId, openGoldenStore, readGolden, type GoldenStore } from './readGolden.ts';

const folder = join(import.meta.dirname, '..', '..', 'fixtures', 'journals', 'format-1');
const names = readdirSync(folder)
  .filter((name) => name.endsWith('.jsonl'))
  .map((name) => name.slice(0, -'.jsonl'.length))
  .sort();
const bytesOf = (name: string): Buffer => readFileSync(join(folder, `${name}.jsonl`));

describe('journals of format 1', () => {
  let opened: GoldenStore | undefined;

  async function open(bytes: Uint8Array): Promise<GoldenStore> {
    opened = await openGoldenStore(bytes);
    return opened;
  }

  afterEach(async () => {
    await opened?.dispose();
    opened = undefined;
  });

  it('are all here: none was taken away', () => {
    assert.ok(names.length >= 40, `${names.length} journals`);
  });

  for (const name of names) {
    describe(name, () => {
      it('opens as ever', async () => {
        const expected: unknown = JSON.parse(readFileSync(join(folder, `${name}.json`), 'utf8'));
        assert.deepEqual(JSON.parse(JSON.stringify(await readGolden(await open(bytesOf(name))))), expected);
      });

      it('leads to a request that is accepted', async () => {
        const state = await stateOf(await open(bytesOf(name)));
        if (!state || state.conversation.length === 0) return;
        const read: unknown = JSON.parse(JSON.stringify(await readGolden(opened!)));
        assert.ok(typeof read === 'object' && read !== null && 'messages' in read);
        const model = state.runs.at(-1)?.model ?? 'claude-opus-4-8';
        const tools = state.prompt?.tools ?? [];
        const body = { model, max_tokens: 1_000, stream: true, tools, messages: read.messages };
        const checked = readMessagesRequest(JSON.stringify(body), defaultRules);
        assert.ok(checked.ok, checked.ok ? '' : checked.error.message);
      });

      it('is written on without a change to what is there', async () => {
        const before = bytesOf(name);
        const { store, journal, storage } = await open(before);
        const session = await store.open(goldenId).catch(() => undefined);
        if (!session) {
          assert.deepEqual(await readFile(journal), before, 'what cannot be opened is left alone');
          return;
        }
        const claim = await session.claim(() => undefined);
        assert.ok(claim);
        const [added] = await claim.appendDurable([{ type: 'note_added', level: 'info', text: 'Written on.' }]);
        await claim.close();

        const end = before.lastIndexOf(0x0a) + 1;
        const after = await readFile(journal);
        assert.deepEqual(after.subarray(0, end), before.subarray(0, end));
        assert.equal(after.subarray(end).toString('utf8'), `${JSON.stringify(added)}\n`);
        const torn: Buffer[] = [];
        for await (const file of glob(join(storage, '*.torn-*'))) torn.push(await readFile(file));
        assert.deepEqual(Buffer.concat(torn), before.subarray(end));

        const again = await store.open(goldenId);
        const events: SessionEvent[] = [];
        await again.catchUp((event) => events.push(event));
        assert.deepEqual(events.at(-1), added);
      });
    });
  }

  it('open with a line of 10 MB, and pass over one that is too long to be held', async () => {
    const lines = bytesOf('done').toString('utf8').trimEnd().split('\n');
    const at = lines.findIndex((line) => line.includes('"step_finished"'));
    const lengthened = (bytes: number): Buffer => {
      const long = lines[at]!.replace(/"content":"/, `"content":"${'x'.repeat(bytes)}`);
      return Buffer.from(`${lines.with(at, long).join('\n')}\n`);
    };
    const whole = await stateOf(await open(lengthened(10_000_000)));
    assert.equal(whole?.conversation.find(({ type }) => type === 'step_finished')?.seq, at);
    await opened?.dispose();

    const { store } = await open(lengthened(40_000_000));
    const session = await store.open(goldenId);
    let events = 0;
    await session.catchUp(() => (events += 1));
    assert.equal(events, lines.length - 2);
    assert.equal(session.damage, '1 line of the trace could not be read and was passed over. Everything else is here.');
  });
});

async function stateOf({ store }: GoldenStore): Promise<ReturnType<typeof foldEvents> | undefined> {
  const session = await store.open(goldenId).catch(() => undefined);
  if (!session) return undefined;
  const events: SessionEvent[] = [];
  await session.catchUp((event) => events.push(event));
  return foldEvents(session.header, events);
}
