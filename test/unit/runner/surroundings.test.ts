import assert from 'node:assert/strict';
import { createBench } from '../../support/fakes/bench.ts';
import { answer, say } from '../../support/fakes/scriptedModel.ts';

describe('what is around a session', () => {
  it('is told with a message when it is new, and kept in the words that were sent', async () => {
    const around = ['Git: branch main', 'Git: branch main', 'Git: branch other'];
    const bench = createBench({
      turns: [answer(say('One.')), answer(say('Two.')), answer(say('Three.'))],
      ports: { surroundings: async () => around.shift() ?? '' },
    });
    const id = await bench.ran('First.');
    for (const text of ['Second.', 'Third.']) {
      await bench.sessions.send(id, text);
      await bench.ended(id);
    }
    const texts = bench.model.requests.map(({ messages }) =>
      messages.filter(({ role }) => role === 'user').map(({ content }) => content.map((b) => 'text' in b && b.text)),
    );
    const [first, second, third] = [
      ['First.', '<surroundings>\nGit: branch main\n</surroundings>'],
      ['Second.'],
      ['Third.', '<surroundings>\nGit: branch other\n</surroundings>'],
    ];
    assert.deepEqual(texts, [[first], [first, second], [first, second, third]]);
  });

  it('costs the message nothing when it cannot be looked at', async () => {
    const bench = createBench({
      turns: [answer(say('One.'))],
      ports: { surroundings: () => Promise.reject(new Error('no git')) },
    });
    await bench.ran('First.');
    assert.deepEqual(bench.model.requests[0]?.messages, [
      { role: 'user', content: [{ type: 'text', text: 'First.' }] },
    ]);
    assert.equal(bench.logged.length, 1);
  });
});
