import assert from 'node:assert/strict';
import { imageLimits } from '../../../src/core/imageLimits.ts';
import type { MessageImage } from '../../../src/core/images.ts';
import { createBench } from '../../support/fakes/bench.ts';
import { answer, hangs, say } from '../../support/fakes/scriptedModel.ts';
import { validateRequest } from '../../support/messagesServer/validateRequest.ts';
import { onePixelPng, png } from '../../support/imageBytes.ts';

const image: MessageImage = { mediaType: 'image/png', data: onePixelPng, width: 1, height: 1, name: 'dot.png' };
const attachment = { kind: 'file', label: 'a.ts', text: '<attachment>\nlet a;\n</attachment>' } as const;

describe('messages with attachments and images', () => {
  it('are in the trace before the first request, and the request has them', async () => {
    const bench = createBench({ turns: [answer(say('Seen.'))] });
    const id = await bench.create();
    await bench.sessions.send(id, 'Look.', { attachments: [attachment], images: [image] });
    await bench.ended(id);
    assert.ok(bench.actions.indexOf('durable user_message_added') < bench.actions.indexOf('request'));
    const content = bench.model.requests[0]?.messages[0]?.content ?? [];
    assert.deepEqual(
      content.map(({ type }) => type),
      ['image', 'text', 'text'],
    );
    assert.equal(validateRequest(bench.model.requests[0]), undefined);
  });

  it('are sent again byte for byte by a resume in another window', async () => {
    const first = createBench({ turns: [hangs('I was')] });
    const id = await first.create();
    await first.sessions.send(id, 'Look.', { attachments: [attachment], images: [image] });
    await first.model.requested(1);
    await first.sessions.shutdown();
    const second = createBench({ disk: first.disk, turns: [answer(say('Seen.'))] });
    await second.sessions.resume(id);
    await second.ended(id);
    const [cut] = first.model.requests;
    const [resumed] = second.model.requests;
    const prefix = JSON.stringify(cut?.messages).slice(0, -1);
    assert.equal(JSON.stringify(resumed?.messages).slice(0, prefix.length), prefix);
    assert.equal(validateRequest(resumed), undefined);
  });

  it('need no words, and are called by their image', async () => {
    const bench = createBench({ turns: [answer(say('Seen.'))] });
    const id = await bench.create();
    await bench.sessions.send(id, ' ', { images: [image] });
    const session = await bench.ended(id);
    assert.equal(session.state.title, 'dot.png');
    // A list reads only the beginning of a trace: the title stands before what may be long.
    const types = bench.events(id).map(({ type }) => type);
    assert.ok(types.indexOf('title_changed') < types.indexOf('user_message_added'));
    await assert.rejects(bench.sessions.send(id, ' ', { attachments: [attachment] }), { code: 'empty_message' });
  });

  it('go along when they are sent while a run goes on, also after a kill', async () => {
    const first = createBench({ turns: [hangs('I was')] });
    const id = await first.create();
    await first.sessions.send(id, 'Go.');
    await first.model.requested(1);
    const extras = { attachments: [attachment], images: [image] };
    assert.deepEqual(await first.sessions.send(id, 'And this?', extras), { status: 'queued' });
    await first.sessions.shutdown();
    const second = createBench({ disk: first.disk, turns: [answer(say('Seen.'))] });
    await second.sessions.resume(id);
    await second.ended(id);
    const delivered = second.events(id).findLast((event) => event.type === 'user_message_added');
    assert.deepEqual(
      [delivered?.text, delivered?.attachments, delivered?.images],
      ['And this?', [attachment], [image]],
    );
    const request = second.model.requests[0];
    assert.ok(JSON.stringify(request).includes(onePixelPng));
    assert.equal(validateRequest(request), undefined);
  });

  it('that would make later requests invalid are refused before anything is written', async () => {
    const bench = createBench();
    const id = await bench.create();
    const large = { ...image, data: png(10, 10, imageLimits.data) };
    await assert.rejects(bench.sessions.send(id, 'Look.', { images: [large] }), { code: 'bad_attachment' });
    assert.deepEqual(bench.events(id), []);
    assert.equal((await bench.sessions.open(id)).name, 'created');
  });
});

describe('the chosen model', () => {
  it('is taken by the runs that follow, in another window too, and shown', async () => {
    const bench = createBench({ turns: [answer(say('One.')), answer(say('Two.'))] });
    const id = await bench.ran();
    await bench.sessions.chooseModel(id, ' claude-haiku-4-5 ', 'off');
    await bench.sessions.send(id, 'And now?');
    await bench.ended(id);
    assert.deepEqual(
      bench.model.requests.map(({ model, thinking }) => [model, thinking?.type]),
      [
        ['claude-opus-4-8', 'adaptive'],
        ['claude-haiku-4-5', undefined],
      ],
    );
    const other = createBench({ disk: bench.disk, turns: [answer(say('Three.'))] });
    await other.sessions.send(id, 'Here?');
    await other.ended(id);
    assert.equal(other.model.requests[0]?.model, 'claude-haiku-4-5');
  });

  it('gives way to the one that a resume names for itself', async () => {
    const bench = createBench({ turns: [hangs(), answer(say('Two.'))] });
    const id = await bench.create();
    await bench.sessions.chooseModel(id, 'claude-haiku-4-5');
    await bench.sessions.send(id, 'Go.');
    await bench.model.requested(1);
    await bench.sessions.stop(id);
    await bench.sessions.resume(id, { model: 'claude-sonnet-5-5' });
    await bench.ended(id);
    assert.deepEqual(
      bench.model.requests.map(({ model }) => model),
      ['claude-haiku-4-5', 'claude-sonnet-5-5'],
    );
  });
});
