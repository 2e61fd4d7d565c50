import assert from 'node:assert/strict';
import { RatchetError } from '../../../src/core/errors.ts';
import { createBench } from '../../support/fakes/bench.ts';
import { succeeded } from '../../support/fakes/fakeTools.ts';
import { answer, call, hangs, say } from '../../support/fakes/scriptedModel.ts';

const oneCall = answer(call('c1', 'shell', {}));

/** Throws a storage failure the first times it is called. */
function refuses(times: number): () => void {
  let left = times;
  return () => {
    if (left-- > 0)
      throw new RatchetError('storage', 'The storage cannot be written: the disk is full. Free some space.');
  };
}

describe('a step whose storage refuses', () => {
  it('is prepared and done again until it can be, and is one step with one result', async () => {
    const [check, effect] = [refuses(2), refuses(2)];
    const problems: (string | undefined)[] = [];
    const bench = createBench({
      turns: [oneCall, answer(say('Done.'))],
      tools: [
        {
          name: 'shell',
          check,
          run: () => {
            problems.push(session.problem);
            effect();
            return succeeded('did it');
          },
        },
      ],
    });
    const id = await bench.create();
    const session = await bench.sessions.open(id);
    await bench.sessions.send(id, 'Go.');
    await bench.ended(id);
    assert.equal(session.name, 'done');
    assert.deepEqual(bench.clock.delays, [2_000, 2_000, 2_000, 2_000]);
    const words =
      'Paused: The storage cannot be written: the disk is full. Free some space. The run goes on by itself then.';
    assert.deepEqual(problems, [undefined, words, words]);
    assert.equal(session.problem, undefined);
    const types = bench.events(id).map(({ type }) => type);
    assert.equal(types.filter((type) => type === 'step_started').length, 1);
    assert.equal((await bench.event(id, 'step_finished')).outcome, 'succeeded');
  });

  it('is looked at again, not given up, when it was cut and its record cannot be read for want of space', async () => {
    const look = refuses(1);
    const bench = createBench({
      ownerId: 'first',
      turns: [oneCall],
      tools: [{ name: 'shell', effect: 'command', run: () => new Promise(() => undefined) }],
    });
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await bench.tool('shell').started(1);
    bench.disk.kill('first');
    const next = createBench({
      disk: bench.disk,
      turns: [answer(say('Done.'))],
      tools: [
        {
          name: 'shell',
          effect: 'command',
          recover: () => {
            look();
            return { kind: 'settled', result: succeeded('was done meanwhile') };
          },
        },
      ],
    });
    await next.sessions.resume(id);
    await next.ended(id);
    assert.equal((await next.event(id, 'step_finished')).outcome, 'succeeded');
  });
});

describe('a button that is pressed while the disk is full', () => {
  for (const mode of ['resume', 'retry'] as const) {
    it(`says in the panel why nothing was started, where, and what to do, until it works (${mode})`, async () => {
      const bench = createBench({ turns: [hangs()] });
      const id = await bench.create();
      await bench.sessions.send(id, 'Go.');
      await bench.model.requested(1);
      await bench.sessions.stop(id);
      const session = await bench.sessions.open(id);
      const { beforeWrite } = bench.disk;
      const full = refuses(1);
      bench.disk.beforeWrite = (...written) => {
        full();
        beforeWrite(...written);
      };
      const shown: (string | undefined)[] = [];
      bench.sessions.onChange(() => shown.push(session.problem));
      await assert.rejects(bench.sessions.resume(id, { mode }), { code: 'storage' });
      assert.equal(session.name, 'cancelled');
      assert.match(
        session.problem ?? '',
        /^Nothing was started\. .*the disk is full\. Free some space\. The session is kept in \/storage\/.* press the button again\.$/,
      );
      assert.ok(shown.includes(session.problem), 'the panel is told');
      await bench.sessions.resume(id, { mode });
      assert.equal(session.problem, undefined);
      await bench.ended(id);
    });
  }
});
