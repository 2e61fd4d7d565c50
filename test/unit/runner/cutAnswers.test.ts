import assert from 'node:assert/strict';
import type { ModelRequest } from '../../../src/core/messages.ts';
import { ModelError } from '../../../src/runner/ports.ts';
import { createBench, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import { answer, call, fails, hangs, say } from '../../support/fakes/scriptedModel.ts';
import { validateRequest } from '../../support/messagesServer/validateRequest.ts';

const cut = 'The answer is forty-';
const other = { settings: { model: 'claude-sonnet-5-5', takesSystemMessages: false } } satisfies BenchOptions;

/** A session whose answer was stopped after these words. */
async function stopped(text: string, options: BenchOptions = {}): Promise<{ bench: Bench; id: string }> {
  const bench = createBench({ ...options, turns: [hangs(text)] });
  const id = await bench.create();
  await bench.sessions.send(id, 'What is the answer?');
  await bench.model.requested(1);
  await bench.sessions.stop(id);
  return { bench, id };
}

function last(bench: Bench): ModelRequest {
  const request = bench.model.requests.at(-1);
  assert.ok(request);
  assert.equal(validateRequest(request), undefined);
  return request;
}

function spoken({ messages }: ModelRequest): readonly string[] {
  return messages.map(
    ({ role, content }) => `${role}: ${content.map((block) => (block.type === 'text' ? block.text : '…')).join(' | ')}`,
  );
}

function onScreen(bench: Bench, id: string): Promise<readonly string[]> {
  return bench.sessions
    .open(id)
    .then((session) => session.page(50).items.flatMap((item) => (item.kind === 'assistant' ? [item.markdown] : [])));
}

function dropped(): ModelError {
  return new ModelError({ kind: 'retryable', code: 'stream_cut', message: 'The answer ended before it was complete.' });
}

function broken(): ModelError {
  return new ModelError({ kind: 'terminal', code: 'invalid_request', message: 'No.' });
}

function beginsWith(longer: ModelRequest, shorter: ModelRequest | undefined): void {
  assert.ok(shorter);
  assert.equal(
    JSON.stringify(longer.messages.slice(0, shorter.messages.length)),
    JSON.stringify(shorter.messages),
    'the bytes of the earlier request must come first',
  );
}

describe('an answer that was cut', () => {
  it('by Stop is known to the model when the user asks about it, with a word that it was cut', async () => {
    const { bench, id } = await stopped(cut);
    await bench.sessions.send(id, 'What did you just say?');
    await bench.ended(id);
    const request = last(bench);
    assert.deepEqual(spoken(request), [
      'user: What is the answer?',
      `assistant: ${cut}`,
      'user: (Your answer above was cut off here: the user stopped the run. The user has seen it up to this point.)',
      'user: What did you just say?',
    ]);
    beginsWith(request, bench.model.requests[0]);
    assert.deepEqual(await onScreen(bench, id), [cut, 'Done.']);
  });

  it('is on disk before it counts as shown', async () => {
    const { bench } = await stopped(cut);
    assert.ok(bench.actions.includes('durable assistant_message_cut'));
  });

  for (const [what, options] of [
    ['takes system messages', {}],
    ['takes none', other],
  ] as const) {
    it(`stands where it was in each later request, byte for byte, to a model that ${what}`, async () => {
      const { bench, id } = await stopped(cut, options);
      await bench.sessions.resume(id);
      await bench.ended(id);
      bench.model.turns.push(hangs('And also'));
      await bench.sessions.send(id, 'Thanks.');
      await bench.model.requested(3);
      await bench.sessions.stop(id);
      await bench.sessions.resume(id, { mode: 'retry' });
      await bench.ended(id);
      for (const [index, request] of bench.model.requests.entries()) {
        assert.equal(validateRequest(request), undefined);
        if (index > 0) beginsWith(request, bench.model.requests[index - 1]);
      }
      assert.equal(JSON.stringify(last(bench)).split(cut).length, 2);
    });
  }

  it('right behind the context of a resume takes the place of the answer that never came', async () => {
    const { bench, id } = await stopped(cut);
    bench.model.turns.push(hangs('Forty'));
    await bench.sessions.resume(id);
    await bench.model.requested(2);
    await bench.sessions.stop(id);
    await bench.sessions.send(id, 'And?');
    await bench.ended(id);
    const request = last(bench);
    beginsWith(request, bench.model.requests[1]);
    assert.deepEqual(
      request.messages.map(({ role }) => role),
      ['user', 'assistant', 'user', 'user', 'system', 'assistant', 'user', 'user'],
    );
  });

  it('is sent without white space at its end, and not at all when there is nothing else', async () => {
    const { bench, id } = await stopped('Well \n\n');
    await bench.sessions.send(id, 'Go on.');
    await bench.ended(id);
    assert.equal(spoken(last(bench))[1], 'assistant: Well');
    const blank = await stopped(' \n');
    await blank.bench.sessions.send(blank.id, 'Go on.');
    await blank.bench.ended(blank.id);
    assert.deepEqual(spoken(last(blank.bench)), ['user: What is the answer?', 'user: Go on.']);
    assert.deepEqual(await onScreen(blank.bench, blank.id), ['Done.']);
  });

  it('by the time limit is known too', async () => {
    const bench = createBench({ runTimeLimit: 1, turns: [hangs(cut)] });
    const id = await bench.create();
    await bench.sessions.send(id, 'What is the answer?');
    await bench.model.requested(1);
    // Its limit counts by the clock of the machine that it reads.
    const ticking = setInterval(() => bench.clock.advance(1_000), 1);
    await bench.ended(id);
    clearInterval(ticking);
    const again = createBench({ disk: bench.disk });
    await again.sessions.send(id, 'What did you just say?');
    await again.ended(id);
    assert.match(spoken(last(again))[2] ?? '', /reached its time limit/);
    assert.equal(spoken(last(again))[1], `assistant: ${cut}`);
  });

  it('by a failure that is not made again is known, and stays on screen', async () => {
    const bench = createBench({ turns: [fails(broken(), cut)] });
    const id = await bench.ran('What is the answer?');
    assert.deepEqual(await onScreen(bench, id), [cut]);
    await bench.sessions.send(id, 'What did you just say?');
    await bench.ended(id);
    assert.match(spoken(last(bench))[2] ?? '', /connection to the model failed/);
  });

  it('by a kill is neither on screen nor sent afterwards', async () => {
    const killed = createBench({ ownerId: 'killed', turns: [hangs(cut)] });
    const id = await killed.create();
    await killed.sessions.send(id, 'What is the answer?');
    await killed.model.requested(1);
    killed.disk.kill('killed');
    const bench = createBench({ disk: killed.disk });
    assert.deepEqual(await onScreen(bench, id), []);
    await bench.sessions.send(id, 'What did you just say?');
    await bench.ended(id);
    assert.ok(!JSON.stringify(last(bench)).includes(cut));
  });

  it('by a dropped stream gives way to the answer that comes next', async () => {
    const bench = createBench({ turns: [fails(dropped(), cut), fails(dropped(), cut), answer(say('Forty-two.'))] });
    const id = await bench.ran('What is the answer?');
    assert.deepEqual(await onScreen(bench, id), ['Forty-two.']);
    await bench.sessions.send(id, 'Thanks.');
    await bench.ended(id);
    assert.ok(!JSON.stringify(last(bench)).includes(cut));
  });

  it('again and again, run after run, leaves one beginning and not one for each time', async () => {
    const bench = createBench({ turns: Array.from({ length: 4 }, () => fails(broken(), cut)) });
    const id = await bench.ran('What is the answer?');
    for (let n = 0; n < 3; n++) {
      await bench.sessions.resume(id, { mode: 'retry' });
      await bench.ended(id);
    }
    await bench.sessions.send(id, 'Well?');
    await bench.ended(id);
    assert.equal(JSON.stringify(last(bench)).split(cut).length, 2);
    assert.deepEqual(await onScreen(bench, id), [cut, 'Done.']);
  });

  it('is recorded without what only looked like a call', async () => {
    const bench = createBench({ turns: [answer(say('One.'), call('c1', 'note')), hangs(cut)] });
    const id = await bench.create();
    await bench.sessions.send(id, 'Go.');
    await bench.model.requested(2);
    await bench.sessions.stop(id);
    await bench.sessions.send(id, 'Well?');
    await bench.ended(id);
    assert.deepEqual(spoken(last(bench)).slice(2, 5), [
      'user: …',
      `assistant: ${cut}`,
      'user: (Your answer above was cut off here: the user stopped the run. The user has seen it up to this point.)',
    ]);
  });
});
