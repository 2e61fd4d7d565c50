import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createCallNames } from '../../../src/core/callIds.ts';
import { buildRequest } from '../../../src/core/requestBuilder.ts';
import { createBench, settings } from '../../support/fakes/bench.ts';
import { answer, call, say } from '../../support/fakes/scriptedModel.ts';
import { validateRequest } from '../../support/messagesServer/validateRequest.ts';

const odd = ['functions.read:0', '', 'a b', 'ä', 'x'.repeat(90), 'call/1', '\n'];

describe('ids of calls that a server gives', () => {
  for (const id of odd) {
    it(`${JSON.stringify(id.slice(0, 20))} is sent as one that any server takes, from the first request on`, async () => {
      const bench = createBench({ turns: [answer(call(id, 'note')), answer(call(id, 'note')), answer(say('Done.'))] });
      const session = await bench.ran();
      assert.equal(bench.model.requests.length, 3);
      for (const request of bench.model.requests) assert.equal(validateRequest(request), undefined);
      assert.equal(bench.tool('note').effects.length, 2);
      const [first, second, third] = bench.model.requests.map(({ messages }) =>
        messages.map((one) => JSON.stringify(one)),
      );
      assert.deepEqual(second?.slice(0, first?.length), first);
      assert.deepEqual(third?.slice(0, second?.length), second);
      // A window that reads the trace sends the same.
      const again = await createBench({ disk: bench.disk }).sessions.open(session);
      const { conversation, prompt } = again.state;
      const read = buildRequest(conversation, prompt ?? { system: '', tools: [] }, settings);
      assert.deepEqual(read.messages.map((one) => JSON.stringify(one)).slice(0, third?.length), third);
    });
  }

  it('twice in one answer are two calls', async () => {
    const bench = createBench({ turns: [answer(call('a:b', 'note'), call('a:b', 'note'), call('a_b', 'note'))] });
    await bench.ran();
    assert.equal(bench.tool('note').effects.length, 3);
    assert.equal(validateRequest(bench.model.requests[1]), undefined);
  });

  it('of an older trace are sent under other names, the same each time and never the same for two', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.constantFrom('a:b', 'a_b', 'a b', 'a_b_2', '', 'call'), fc.string())), (ids) => {
        const nameOf = createCallNames();
        const names = ids.map(nameOf);
        for (const name of names) assert.match(name, /^[a-zA-Z0-9_-]+$/);
        assert.equal(new Set(names).size, new Set(ids).size);
        assert.deepEqual(ids.map(nameOf), names);
        // A shorter conversation has the same names.
        const shorter = createCallNames();
        assert.deepEqual(ids.slice(0, 3).map(shorter), names.slice(0, 3));
      }),
    );
  });
});
