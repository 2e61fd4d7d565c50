import assert from 'node:assert/strict';
import type { ListedFile } from '../../../src/core/recordedFiles.ts';
import type { ModelRequest } from '../../../src/core/messages.ts';
import { compactedText } from '../../../src/core/compaction.ts';
import { buildRequest } from '../../../src/core/requestBuilder.ts';
import { previewResume } from '../../../src/runner/previewResume.ts';
import { createBench, settings, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import { succeeded } from '../../support/fakes/fakeTools.ts';
import { answer, call, hangs, say, type ModelTurn } from '../../support/fakes/scriptedModel.ts';
import { clockStart } from '../../support/fakes/steadyClock.ts';
import { createMemoryDisk } from '../../support/fakes/memoryStore.ts';
import { validateRequest } from '../../support/messagesServer/validateRequest.ts';

const steps = 40;
const resumes = 10;

/** A folder of a usual size; one more file, and another time on one of them, after each resume. */
function files(round: number): readonly ListedFile[] {
  const old = Array.from({ length: 150 }, (_value, index): ListedFile => {
    const path = `src/package/module${String(index)}/implementation.ts`;
    return { path, size: 1_000 + index, mtimeMs: clockStart - (index === 3 ? 1_000 - round : 86_400_000) };
  });
  const made = Array.from({ length: round }, (_value, index): ListedFile => {
    return { path: `out/result${String(index)}.json`, size: 10, mtimeMs: clockStart + index };
  });
  return [...old, ...made];
}

/** A job of forty steps, then one more step in each of ten resumes, each cut while the model answers. */
async function tenResumes(options: BenchOptions = {}): Promise<{
  readonly bench: Bench;
  readonly id: string;
  /** The last request before each cut. */
  readonly cut: readonly ModelRequest[];
}> {
  const disk = createMemoryDisk();
  let round = 0;
  const window = (owner: number, turns: readonly ModelTurn[]): Bench =>
    createBench({
      disk,
      ownerId: `w${String(owner)}`,
      tools: [{ name: 'shell', effect: 'command', run: () => succeeded('fine. '.repeat(80)) }],
      turns,
      ...options,
      ports: {
        listWorkspace: async () => ({ ok: true, value: { files: files(round), total: files(round).length } }),
        ...options.ports,
      },
    });
  const step = (n: number): ModelTurn => answer(say(`Step ${String(n)}.`), call(`c${String(n)}`, 'shell', { n }));
  let bench = window(0, [...Array.from({ length: steps }, (_value, n) => step(n)), hangs('I am')]);
  const id = await bench.create();
  await bench.sessions.send(id, 'Do the job.');
  await bench.model.requested(steps + 1);
  const cut = [bench.model.requests.at(-1)!];
  for (round = 1; round <= resumes; round++) {
    disk.kill(`w${String(round - 1)}`);
    bench = window(round, [step(steps + round), hangs('I am')]);
    await bench.sessions.resume(id);
    await bench.model.requested(2);
    for (const request of bench.model.requests) assert.equal(validateRequest(request), undefined);
    cut.push(bench.model.requests.at(-1)!);
  }
  return { bench, id, cut };
}

const bytes = ({ messages }: ModelRequest): number => Buffer.byteLength(JSON.stringify(messages));

function contexts({ messages }: ModelRequest): readonly string[] {
  return messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'text' && block.text.includes('## Tool history') ? [block.text] : [])),
  );
}

describe('ten resumes in a row', () => {
  for (const [what, chosen] of [
    ['takes system messages', {}],
    ['takes none', { settings: { model: 'claude-sonnet-5-5', takesSystemMessages: false } }],
  ] as const) {
    it(`to a model that ${what}: each request begins with all of the one that was cut before it`, async () => {
      const { cut } = await tenResumes(chosen);
      for (const [index, request] of cut.entries()) {
        const before = cut[index - 1];
        if (!before) continue;
        assert.equal(
          JSON.stringify(request.messages.slice(0, before.messages.length)),
          JSON.stringify(before.messages),
          `resume ${String(index)}`,
        );
      }
    });
  }

  it('add a whole context once, and what has changed from then on', async () => {
    const { cut } = await tenResumes();
    const last = contexts(cut.at(-1)!);
    assert.equal(last.length, resumes);
    const [whole = 0, ...later] = last.map((text) => Buffer.byteLength(text));
    assert.ok(whole > 12_000, String(whole));
    for (const length of later) assert.ok(length < whole / 6, `${String(length)} of ${String(whole)}`);
  });

  it('say of each part what is new, and of the rest where it stands', async () => {
    const { cut } = await tenResumes();
    const text = contexts(cut.at(-1)!).at(-1) ?? '';
    assert.match(text, /^The last resume context above still holds\./);
    assert.match(text, /## Tool history\nAs above, and since then:\n\[call shell\] \{"n":49\}\n\[result\] fine/);
    assert.match(
      text,
      /## Workspace files\nAs above \(ages as of then\), except:\n.*module3\/.*\nout\/result9\.json \(.*\)\n/,
    );
    assert.match(text, /## Task list\nNo task list\.|## Task list\nAs above\./);
    assert.match(text, /## Rules\nAs above\./);
    assert.ok(!text.includes('module4/'));
  });

  it('are shown beforehand as they are sent', async () => {
    const { bench, id, cut } = await tenResumes();
    await bench.sessions.stop(id);
    const session = await bench.sessions.open(id);
    const preview = await previewResume(bench.ports, session, { mode: 'resume' }, new AbortController().signal);
    await bench.sessions.resume(id);
    await bench.ended(id);
    const sent = bench.model.requests.at(-1);
    assert.equal(JSON.stringify(preview.request.messages), JSON.stringify(sent?.messages));
    const added = bytes(preview.request) - bytes(cut.at(-1)!);
    assert.ok(preview.newTokens < added, `${String(preview.newTokens)} tokens of ${String(added)} bytes`);
  });

  it('after a compaction that took the whole context away, what is left is told whole', async () => {
    const { bench, id } = await tenResumes();
    const { state } = await bench.sessions.open(id);
    const relaunches = state.conversation.filter(({ type }) => type === 'relaunch_prepared');
    const cutAt = relaunches[4]?.seq ?? 0;
    const text = compactedText(
      { by: 'ratchet', summary: 's', conversation: state.conversation, uptoSeq: cutAt, tasks: [], artifacts: [] },
      4_000,
    );
    const compacted = {
      seq: state.lastSeq + 1,
      at: 0,
      type: 'history_compacted',
      compactionId: 'c',
      by: 'ratchet',
      uptoSeq: cutAt,
      summary: 's',
      text,
      steps: 1,
      tokensBefore: 1,
      tokensAfter: 1,
    } as const;
    const request = buildRequest([...state.conversation, compacted], state.prompt!, settings);
    const [first = '', ...later] = contexts(request);
    assert.equal(later.length, 4);
    assert.match(first, /^## State/);
    assert.match(first, /module4\//);
    for (const one of later) assert.match(one, /^The last resume context above/);
    await bench.sessions.stop(id);
  });
});
