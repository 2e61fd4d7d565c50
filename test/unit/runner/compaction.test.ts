import assert from 'node:assert/strict';
import { summaryRequest } from '../../../src/core/compaction.ts';
import type { EventType } from '../../../src/core/events.ts';
import type { ModelRequest } from '../../../src/core/messages.ts';
import { sessionView } from '../../../src/projection/sessionView.ts';
import { ModelError } from '../../../src/runner/ports.ts';
import { createBench, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import { succeeded, untilStopped } from '../../support/fakes/fakeTools.ts';
import { createMemoryDisk } from '../../support/fakes/memoryStore.ts';
import {
  answer,
  call,
  createScriptedModel,
  fails,
  hangs,
  say,
  stopped,
  type ModelTurn,
} from '../../support/fakes/scriptedModel.ts';

const contextWindow = 20_000;
const note = { name: 'note', run: () => succeeded('noted '.repeat(50)) };
/** A turn whose request had so many tokens. */
const turn = (n: number, inputTokens = 300 + 130 * n): ModelTurn => ({
  kind: 'answer',
  content: [call(`c${String(n)}`, 'note', { n })],
  stopReason: 'tool_use',
  usage: { inputTokens, outputTokens: 0, cacheReadTokens: 0, cacheWriteTokens: 0 },
});
const turns = (from: number, to: number): ModelTurn[] =>
  Array.from({ length: to - from + 1 }, (_, i) => turn(from + i));
const full = 18_000;
const summary = answer(say('Goal: note. Next: go on.'));
const done = answer(say('All done.'));

function bench(list: readonly ModelTurn[], options: BenchOptions = {}): Bench {
  return createBench({ turns: list, tools: [note], settings: { contextWindow, maxTokens: 1_000 }, ...options });
}
const types = (bench: Bench, id: string): EventType[] => bench.events(id).map(({ type }) => type);
const count = (bench: Bench, id: string, type: EventType): number => types(bench, id).filter((t) => t === type).length;
const lastText = ({ messages }: ModelRequest): string => {
  const block = messages.at(-1)?.content.at(-1);
  return block?.type === 'text' ? block.text : '';
};
const refused = (code: string, said: string): ModelError =>
  new ModelError({ kind: 'terminal', code, message: `No: ${said}`, status: 400, said });
const tooLong = (): ModelError => refused('prompt_too_long', 'prompt is too long: 30000 tokens > 19000 maximum');
const lines = async (bench: Bench, id: string): Promise<readonly string[]> =>
  (await bench.sessions.open(id))
    .page(200)
    .items.flatMap((item) => (item.kind === 'divider' || item.kind === 'notice' ? [item.text] : []));

describe('a run whose conversation grows long', () => {
  it('is compacted before it is over the window: the summary is asked for after the same bytes, and stands for them', async () => {
    const b = bench([...turns(1, 39), turn(40, full), summary, turn(41), done]);
    const id = await b.ran();
    const { requests } = b.model;
    const asked = requests.find((request) => lastText(request) === summaryRequest)!;
    const before = requests[requests.indexOf(asked) - 1]!;
    for (const part of ['model', 'max_tokens', 'thinking', 'cache_control', 'system', 'tools'] as const)
      assert.deepEqual(asked[part], before[part]);
    assert.deepEqual(asked.messages.slice(0, before.messages.length), before.messages);
    const after = requests[requests.indexOf(asked) + 1]!;
    assert.match(JSON.stringify(after.messages[0]), /Goal: note\. Next: go on\./);
    assert.ok(after.messages.length < 30 && after.messages.length > 4, 'the last turns are kept');
    assert.deepEqual(after.messages.slice(1), asked.messages.slice(0, -1).slice(-(after.messages.length - 1)));
    const next = requests.at(-1)!;
    assert.deepEqual(next.messages.slice(0, after.messages.length), after.messages);
    assert.equal((await b.sessions.open(id)).name, 'done');
  });

  it('says so in one line that opens to what the model is told, and the meter shows what is left', async () => {
    const b = bench([...turns(1, 39), turn(40, full), summary, hangs()]);
    const id = await b.create();
    await b.sessions.send(id, 'Note it all.');
    const compacted = await b.event(id, 'history_compacted');
    const session = await b.sessions.open(id);
    const line = session.page(200).items.find((item) => item.id === `compaction-${compacted.compactionId}`);
    assert.ok(line?.kind === 'divider');
    assert.match(line.text, /^compacted: \d+ steps summarised, 18,\d{3} → [\d,]+ tokens$/);
    assert.match(line.detail ?? '', /Note it all\.[^]*Goal: note\./);
    const view = sessionView({
      id,
      state: session.state,
      name: 'running',
      defaultModel: 'm',
      defaultApprovalMode: 'ask',
      contextWindow: () => contextWindow,
    });
    assert.equal(view.context?.usedTokens, compacted.tokensAfter);
    assert.ok(compacted.tokensAfter < 6_000);
    await b.sessions.stop(id);
  });

  it('goes on without a summary when the model gives none, and says so', async () => {
    const b = bench([...turns(1, 39), turn(40, full), answer(call('x', 'note')), answer(say(' ')), turn(41), done]);
    const id = await b.ran();
    const compacted = await b.event(id, 'history_compacted');
    assert.equal(compacted.by, 'ratchet');
    assert.match(compacted.text, /no summary of it could be made[^]*succeeded: note \{"n":1\}/);
    assert.match((await lines(b, id)).join('\n'), /compacted: \d+ steps listed, without a summary/);
    assert.equal((await b.sessions.open(id)).name, 'done');
    assert.equal(b.tool('note').effects.length, 41, 'a call in the place of a summary is not run');
  });

  it('fails when the server cannot be asked for a summary, and a retry asks for it again', async () => {
    const down = new ModelError({ kind: 'retryable', code: 'unreachable', message: 'No server answered.' });
    const down3 = [fails(down), fails(down), fails(down)];
    const b = bench([...turns(1, 39), turn(40, full), ...down3, summary, done], { ports: { patience: () => 3_000 } });
    const id = await b.ran();
    assert.ok(((await b.event(id, 'run_ended')).error?.retryAt ?? 0) > b.clock.now(), 'it is parked, like any request');
    assert.equal((await b.sessions.open(id)).name, 'failed');
    assert.ok((await lines(b, id)).includes('compaction was cut; it is done again when the session goes on'));
    await b.sessions.resume(id, { mode: 'retry' });
    assert.equal((await b.ended(id)).name, 'done');
    const [first, , , second] = b.model.requests.filter((request) => lastText(request) === summaryRequest);
    assert.deepEqual(second, first, 'the same request, before anything was added');
    assert.equal(count(b, id, 'compaction_started'), 1);
    assert.ok(types(b, id).indexOf('history_compacted') < types(b, id).indexOf('relaunch_prepared'));
  });

  it('is asked for its summary again when that breaks off, as any answer is', async () => {
    const lost = new ModelError({ kind: 'retryable', code: 'connection_lost', message: 'Lost.' });
    const b = bench([...turns(1, 39), turn(40, full), fails(lost), summary, done]);
    const id = await b.ran();
    assert.deepEqual(b.clock.delays, [1_000]);
    assert.equal((await b.event(id, 'history_compacted')).by, 'model');
  });

  it('compacts once and goes on when the server says that it is too long', async () => {
    const b = bench([...turns(1, 10), fails(tooLong()), summary, done], {
      settings: { contextWindow, maxTokens: 1_000 },
    });
    const id = await b.ran();
    assert.equal((await b.sessions.open(id)).name, 'done');
    assert.equal((await b.event(id, 'compaction_started')).trigger, 'window_full');
  });

  it('fails in words when it is too long again', async () => {
    const b = bench([...turns(1, 10), fails(tooLong()), summary, fails(tooLong()), done]);
    const session = await b.sessions.open(await b.ran());
    assert.equal(session.state.runs.at(-1)?.end?.error?.code, 'prompt_too_long');
  });

  it('compacts and goes on when an answer fills the window, once', async () => {
    const cut = stopped('model_context_window_exceeded', say('So far'), call('half', 'note'));
    const b = bench([...turns(1, 10), cut, summary, turn(11), done]);
    const id = await b.ran();
    assert.equal((await b.sessions.open(id)).name, 'done');
    assert.equal(count(b, id, 'history_compacted'), 1);
    assert.equal(b.tool('note').effects.length, 11, 'a call of an answer that was cut is not run');

    const again = bench([...turns(1, 10), cut, summary, stopped('model_context_window_exceeded', say('More'))]);
    const session = await again.sessions.open(await again.ran());
    assert.equal(session.state.runs.at(-1)?.end?.error?.code, 'context_full');
  });

  it('shortens a result that is longer than the window itself', async () => {
    const huge = { name: 'note', run: () => succeeded('x'.repeat(200_000)) };
    const b = bench([turn(1), done], { tools: [huge] });
    const id = await b.ran();
    assert.equal((await b.sessions.open(id)).name, 'done');
    assert.ok(JSON.stringify(b.model.requests[1]).length < 20_000);
    assert.match((await lines(b, id)).join('\n'), /^older results shortened, [\d,]+ → [\d,]+ tokens/m);
  });

  it('fails in words when a message alone is longer than the window, before it is sent', async () => {
    const b = bench([done]);
    const id = await b.create();
    await b.sessions.send(id, 'x'.repeat(200_000));
    const session = await b.ended(id);
    assert.equal(session.state.runs.at(-1)?.end?.error?.code, 'context_full');
    assert.equal(b.model.requests.length, 0);
  });

  it('fits into a smaller window that a resume chooses', async () => {
    const disk = createMemoryDisk();
    const first = bench([...turns(1, 60), hangs()], { disk, settings: { contextWindow: 1_000_000 } });
    const id = await first.create();
    await first.sessions.send(id, 'Note it all.');
    await first.model.requested(61);
    await first.sessions.shutdown();
    const next = bench([summary, done], { disk, settings: { contextWindow: 9_000, maxTokens: 1_000 } });
    await next.sessions.resume(id);
    assert.equal((await next.ended(id)).name, 'done');
    for (const request of next.model.requests) assert.ok(JSON.stringify(request.messages).length < 8_000 * 4);
    assert.equal(count(next, id, 'history_compacted'), 1);
  });

  it('asks the server when only an estimate says that it is full', async () => {
    let asked = 0;
    const model = createScriptedModel([...turns(1, 39), turn(40, 15_000), done]);
    const port = { ...model, countTokens: async () => ((asked += 1), 15_900) };
    const long = {
      name: 'note',
      run: ({ n }: { readonly n?: unknown }) => succeeded('ab '.repeat(n === 40 ? 2_500 : 60)),
    };
    const usual = { model: 'm', thinking: 'off', maxTokens: 1_000, takesSystemMessages: false, contextWindow } as const;
    const b = bench([], { tools: [long], ports: { prepareModel: async () => ({ port, settings: usual }) } });
    const id = await b.ran();
    assert.equal(asked, 1);
    assert.deepEqual([count(b, id, 'results_trimmed'), count(b, id, 'compaction_started')], [0, 0]);
  });
});

describe('a session that its user wants compacted', () => {
  it('is, at once, when no run goes on, and its state stays as it was', async () => {
    const b = bench([...turns(1, 20), done, summary, answer(say('Yes.'))]);
    const id = await b.ran();
    assert.equal(await b.sessions.compact(id), 'started');
    assert.equal((await b.sessions.open(id)).name, 'running');
    const session = await b.ended(id);
    assert.equal(session.name, 'done');
    assert.equal(count(b, id, 'run_started'), 1);
    assert.equal((await b.event(id, 'compaction_started')).trigger, 'user');
    await b.sessions.send(id, 'Are you there?');
    assert.equal((await b.ended(id)).name, 'done');
    assert.match(JSON.stringify(b.model.requests.at(-1)?.messages[0]), /conversation_summary/);
    assert.equal(lastText(b.model.requests.at(-1)!), 'Are you there?');
  });

  it('is before the next request of a run that goes on', async () => {
    const b = bench([...turns(1, 20), summary, done], {
      tools: [{ ...note, run: async () => (await b.sessions.compact(id), succeeded('ok')) }],
    });
    const id = await b.create();
    await b.sessions.send(id, 'Go.');
    assert.equal((await b.ended(id)).name, 'done');
    assert.ok(count(b, id, 'history_compacted') >= 1);
  });

  it('is when its run ends without another request', async () => {
    let asked: Promise<unknown> | undefined;
    const b = bench([...turns(1, 20), done, summary]);
    const id = await b.create();
    b.sessions.onChange((change) => {
      if (
        change.kind === 'event' &&
        change.event.type === 'assistant_message_completed' &&
        change.event.stopReason === 'end_turn'
      )
        asked = b.sessions.compact(id);
    });
    await b.sessions.send(id, 'Go.');
    await b.event(id, 'history_compacted');
    assert.equal(await asked, 'queued');
    await b.ended(id);
  });

  it('is refused in words when there is nothing to compact', async () => {
    const b = bench([done]);
    const id = await b.create();
    await assert.rejects(b.sessions.compact(id), { code: 'nothing_to_compact' });
    await b.sessions.send(id, 'Go.');
    await b.ended(id);
    await assert.rejects(b.sessions.compact(id), { code: 'nothing_to_compact' });
  });

  it('can be stopped, and is as it was', async () => {
    const b = bench([...turns(1, 20), done, hangs()]);
    const id = await b.ran();
    await b.sessions.compact(id);
    await b.model.requested(22);
    await b.sessions.stop(id);
    const session = await b.sessions.open(id);
    assert.equal(session.name, 'done');
    assert.ok((await lines(b, id)).includes('not compacted'));
    await b.sessions.send(id, 'Go on.');
    await b.ended(id);
    assert.equal(count(b, id, 'history_compacted'), 0);
  });

  it('is again, when its window was gone in the middle, by the next run of any kind', async () => {
    const disk = createMemoryDisk();
    const first = bench([...turns(1, 20), done, hangs()], { disk });
    const id = await first.ran();
    await first.sessions.compact(id);
    await first.model.requested(22);
    await first.sessions.shutdown();
    const next = bench([summary, done], { disk });
    const session = await next.sessions.open(id);
    assert.equal(session.name, 'done');
    assert.ok((await lines(next, id)).includes('compaction was cut; it is done again when the session goes on'));
    await next.sessions.send(id, 'Go on.');
    assert.equal((await next.ended(id)).name, 'done');
    assert.deepEqual([count(next, id, 'compaction_started'), count(next, id, 'history_compacted')], [1, 1]);
  });

  it('says why not when that fails, and loses nothing', async () => {
    const b = bench([...turns(1, 20), done, fails(refused('key_refused', 'invalid x-api-key')), done]);
    const id = await b.ran();
    await b.sessions.compact(id);
    const session = await b.ended(id);
    assert.equal(session.name, 'done');
    assert.ok((await lines(b, id)).includes('not compacted'));
    await b.sessions.send(id, 'Go on.');
    await b.ended(id);
    assert.doesNotMatch(JSON.stringify(b.model.requests.at(-1)), /conversation_summary/);
  });

  it('goes on with its open calls when it was cut in the middle of one', async () => {
    const disk = createMemoryDisk();
    const hanging = {
      name: 'note',
      run: (input: Readonly<Record<string, unknown>>, context: Parameters<typeof untilStopped>[1]) =>
        input.n === 20 ? untilStopped(input, context) : succeeded('ok'),
    };
    const first = bench(turns(1, 20), { disk, tools: [hanging] });
    const id = await first.create();
    await first.sessions.send(id, 'Go.');
    await first.tool('note').started(20);
    await first.sessions.shutdown();
    const next = bench([summary, done], { disk });
    await next.sessions.compact(id);
    assert.equal((await next.ended(id)).name, 'interrupted');
    await next.sessions.resume(id);
    assert.equal((await next.ended(id)).name, 'done');
    const sent = JSON.stringify(next.model.requests.at(-1));
    assert.match(sent, /conversation_summary/);
    assert.ok(sent.includes('"tool_use_id":"c20"'), 'the cut call has its result');
  });
});

describe('a run whose history the server refuses', () => {
  const poison = (said: string): ModelTurn => fails(refused('invalid_request', said));

  it('leaves out the very part that is named, says so, and goes on', async () => {
    const b = bench([turn(1), turn(2), poison('messages.2.content.0: image exceeds 5 MB maximum'), turn(3), done]);
    const id = await b.ran();
    assert.equal((await b.sessions.open(id)).name, 'done');
    const sent = JSON.stringify(b.model.requests.at(-1)?.messages[2]);
    assert.match(sent, /left out: the server refused it and said: image exceeds 5 MB maximum/);
    assert.ok(!sent.includes('noted'));
    assert.ok(JSON.stringify(b.model.requests.at(-1)?.messages[4]).includes('noted'));
    assert.match((await lines(b, id)).join('\n'), /refused a part of this conversation: image exceeds 5 MB maximum\./);
    const healed = await b.event(id, 'history_healed');
    const part = b.events(id).find(({ seq }) => seq === healed.partSeq);
    assert.ok(part?.type === 'step_finished' && part.content.startsWith('noted'), 'the trace keeps it');
  });

  it('fails with the words of the server when the same part is refused again', async () => {
    const again = (): ModelTurn => poison('messages.2.content.0: no');
    const b = bench([turn(1), again(), again(), done]);
    const session = await b.sessions.open(await b.ran());
    assert.equal(session.name, 'failed');
    assert.equal(session.state.runs[0]?.end?.error?.code, 'invalid_request');
    assert.equal(b.model.requests.length, 3);
  });

  it('leaves out five parts in a run at most', async () => {
    const list = Array.from({ length: 6 }, (_, n) => poison(`messages.${String(2 + 2 * n)}.content.0: no`));
    const b = bench([...turns(1, 8), ...list, done]);
    const id = await b.ran();
    assert.equal(count(b, id, 'history_healed'), 5);
    assert.equal((await b.sessions.open(id)).name, 'failed');
  });

  it('also while the summary is asked for', async () => {
    const b = bench([...turns(1, 39), turn(40, full), poison('messages.2.content.0: no'), summary, done]);
    const id = await b.ran();
    assert.equal((await b.event(id, 'history_compacted')).by, 'model');
    assert.equal(count(b, id, 'history_healed'), 1);
  });
});
