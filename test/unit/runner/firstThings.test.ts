import assert from 'node:assert/strict';
import type { ToolPlan } from '../../../src/runner/ports.ts';
import { ToolInputError, type Tool } from '../../../src/runner/ports.ts';
import { createBench, type Bench } from '../../support/fakes/bench.ts';
import { succeeded } from '../../support/fakes/fakeTools.ts';
import { answer, call } from '../../support/fakes/scriptedModel.ts';

const saved = 'It is saved first.';
const hash = (n: number) => ({ kind: 'file', path: 'a.txt', beforeSha256: `b${String(n)}`, afterSha256: 'z' }) as const;

describe('a step that has something to do first', () => {
  let did: string[];
  beforeEach(() => {
    did = [];
  });

  /** An edit whose plan changes by what is done first: one preview after the other. */
  function editing(previews: readonly string[], first: 'once' | 'always' | 'fails' = 'once', intents = 9): Tool {
    const plan = (n: number): ToolPlan => {
      const run = async () => {
        did.push('first');
        if (first === 'fails') throw new ToolInputError('It could not be saved.');
        return plan(n + 1);
      };
      return {
        intent: hash(Math.min(n, previews.length - 1, intents - 1)),
        preview: previews[Math.min(n, previews.length - 1)] ?? '',
        ...((n === 0 || first === 'always') && { first: { words: saved, run } }),
        again: async () => plan(n),
        execute: async () => {
          did.push('effect');
          return succeeded('edited');
        },
      };
    };
    return {
      definition: { name: 'edit', description: 'Edits.', input_schema: { type: 'object' } },
      effect: 'edit',
      plan: async () => plan(0),
      recover: async () => ({ kind: 'rerun' }),
    };
  }

  async function run(tool: Tool, approvalMode: 'ask' | 'allowAll') {
    const bench = createBench({ approvalMode, turns: [answer(call('c1', 'edit'))], ports: { tools: [tool] } });
    const id = await bench.create();
    await bench.sessions.send(id, 'Edit it.');
    return { bench, id };
  }

  const types = (bench: Bench, id: string) =>
    bench
      .events(id)
      .map(({ type }) => type)
      .filter((type) => type.startsWith('step_') || type.startsWith('approval_'));

  it('does it after the start is on record, then takes effect', async () => {
    const { bench, id } = await run(editing(['diff']), 'allowAll');
    await bench.ended(id);
    assert.deepEqual(did, ['first', 'effect']);
    assert.deepEqual(types(bench, id), ['step_started', 'step_finished']);
  });

  it('says so in the question, and asks once when what was shown is still what is done', async () => {
    const { bench, id } = await run(editing(['diff', 'diff']), 'ask');
    const asked = await bench.event(id, 'approval_requested');
    assert.deepEqual([asked.preview, asked.note, did], ['diff', saved, []]);
    await bench.sessions.approve(id, 'c1', 'allow');
    await bench.ended(id);
    assert.deepEqual(did, ['first', 'effect']);
    // The second start has what is on record before the effect: another content than that of the first.
    assert.deepEqual(types(bench, id), [
      ...['approval_requested', 'approval_answered', 'step_started', 'step_started', 'step_finished'],
    ]);
    assert.deepEqual((await bench.sessions.open(id)).state.steps.get('c1')?.intent, hash(1));
  });

  for (const intents of [1, 2])
    it(`asks again when it changed what is to be done, and starts again after the answer (${String(intents)})`, async () => {
      const { bench, id } = await run(editing(['diff', 'formatted diff'], 'once', intents), 'ask');
      await bench.event(id, 'approval_requested');
      await bench.sessions.approve(id, 'c1', 'allow');
      const second = await bench.event(id, 'approval_requested', ({ preview }) => preview === 'formatted diff');
      assert.equal(second.note, undefined);
      assert.deepEqual(did, ['first']);
      await bench.sessions.approve(id, 'c1', 'allow');
      await bench.ended(id);
      assert.deepEqual(did, ['first', 'effect']);
      const once = ['approval_requested', 'approval_answered', 'step_started'];
      assert.deepEqual(types(bench, id), [...once, ...once, 'step_finished']);
    });

  it('fails with its words, and without the effect', async () => {
    const { bench, id } = await run(editing(['diff'], 'fails'), 'allowAll');
    await bench.ended(id);
    const { outcome, content } = await bench.event(id, 'step_finished');
    assert.deepEqual([outcome, content, did], ['failed', 'It could not be saved.', ['first']]);
    assert.deepEqual(bench.logged, []);
  });

  it('gives up when it would have to be done for ever', async () => {
    const { bench, id } = await run(editing(['diff'], 'always'), 'allowAll');
    await bench.ended(id);
    const { outcome, content } = await bench.event(id, 'step_finished');
    assert.equal(outcome, 'failed');
    assert.match(content, /kept changing/);
    assert.ok(!did.includes('effect'));
  });
});
