import assert from 'node:assert/strict';
import { ModelError } from '../../../src/runner/ports.ts';
import { createBench } from '../../support/fakes/bench.ts';
import { answer, fails, hangs, say } from '../../support/fakes/scriptedModel.ts';

const done = answer(say('Done.'));
const before = { model: 'claude-opus-4-8', thinking: 'adaptive', effort: 'high' } as const;
const after = { model: 'claude-opus-5-5', thinking: 'off', effort: 'low' } as const;

describe('the model of a resume', () => {
  it('is that of the run that was cut, effort and thinking too, though the settings are others by now', async () => {
    const first = createBench({ turns: [hangs('I was')], settings: before });
    const id = await first.create();
    await first.sessions.send(id, 'Go.');
    await first.model.requested(1);
    await first.sessions.shutdown();
    assert.equal((await first.event(id, 'run_started')).effort, 'high');
    const next = createBench({ disk: first.disk, turns: [done, done], settings: after });
    await next.sessions.resume(id);
    await next.ended(id);
    const cut = JSON.stringify(first.model.requests[0]).slice(0, -2);
    assert.match(cut, /^\{"model":"claude-opus-4-8","max_tokens":\d+,"thinking":.*"output_config":\{"effort":"high"\}/);
    assert.equal(JSON.stringify(next.model.requests[0]).slice(0, cut.length), cut);
    // What the settings say holds from the next message on.
    await next.sessions.send(id, 'More.');
    await next.ended(id);
    const { model, thinking, output_config } = next.model.requests[1] ?? {};
    assert.deepEqual([model, thinking, output_config], ['claude-opus-5-5', undefined, { effort: 'low' }]);
  });

  it('stays without an effort where the run had none', async () => {
    const first = createBench({ turns: [done], settings: { model: before.model } });
    const id = await first.ran();
    const next = createBench({ disk: first.disk, turns: [done], settings: before });
    await next.sessions.resume(id);
    await next.ended(id);
    assert.equal(next.model.requests[0]?.output_config, undefined);
  });

  it('is that of the settings after a refusal that another model may not get, and for another model', async () => {
    const gone = new ModelError({ kind: 'terminal', code: 'model_not_found', message: 'No such model.' });
    const first = createBench({ turns: [fails(gone)], settings: before });
    const id = await first.ran();
    const next = createBench({ disk: first.disk, turns: [done, done], settings: after });
    await next.sessions.resume(id, { mode: 'retry' });
    await next.ended(id);
    await next.sessions.resume(id, { model: 'claude-sonnet-5-5' });
    await next.ended(id);
    assert.deepEqual(
      next.model.requests.map(({ model, output_config }) => [model, output_config?.effort]),
      [
        ['claude-opus-5-5', 'low'],
        ['claude-sonnet-5-5', 'low'],
      ],
    );
  });
});
