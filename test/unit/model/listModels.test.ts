import assert from 'node:assert/strict';
import { ModelList } from '../../../src/host/modelList.ts';
import { listModels, type ListedModel } from '../../../src/model/listModels.ts';
import { ModelError } from '../../../src/runner/ports.ts';
import { modelInfo } from '../../support/messagesServer/models.ts';
import { startMessagesServer } from '../../support/messagesServer/startMessagesServer.ts';
import { startRawServer, type RawServer } from './rawServer.ts';

const never = new AbortController().signal;

describe('listModels', () => {
  let raw: RawServer | undefined;
  afterEach(async () => {
    await raw?.close();
    raw = undefined;
  });

  it('reads all pages, with what the server says of each model', async () => {
    const many = Array.from({ length: 230 }, (_, n) =>
      modelInfo({
        id: `model-${n}`,
        displayName: `Model ${n}`,
        line: 'opus',
        createdAt: '2026-01-01T00:00:00Z',
        maxInputTokens: 1_000 + n,
        maxTokens: 100,
        thinking: { adaptive: n % 2 === 0, enabled: true },
      }),
    );
    const server = await startMessagesServer({ rules: { models: many } });
    try {
      const listed = await listModels({ apiKey: server.apiKey, baseURL: server.url }, never);
      assert.equal(listed.length, 230);
      assert.equal(server.requests.length, 3);
      assert.deepEqual(listed[1], {
        id: 'model-1',
        name: 'Model 1',
        contextWindow: 1_001,
        maxOutputTokens: 100,
        adaptiveThinking: false,
        efforts: [],
      });
      assert.deepEqual(listed[0]?.efforts, ['low', 'medium', 'high', 'xhigh', 'max']);
    } finally {
      await server.close();
    }
  });

  it('takes a list that says little, and leaves out what is no model', async () => {
    raw = await startRawServer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ object: 'list', data: [{ id: 'llama', object: 'model' }, { name: 'x' }, 7] }));
    });
    assert.deepEqual(await listModels({ apiKey: '', baseURL: raw.url }, never), [{ id: 'llama' }]);
  });

  it('ends with a server that never says that it is at the end', async () => {
    raw = await startRawServer((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ data: [{ id: 'same' }], has_more: true, last_id: 'same' }));
    });
    assert.deepEqual(await listModels({ apiKey: '', baseURL: raw.url }, never), [{ id: 'same' }]);
    assert.equal(raw.requests.length, 2);
  });

  it('lists nothing of a web page, and fails on a refusal', async () => {
    raw = await startRawServer((response, { path }) => {
      if (path.startsWith('/page')) response.writeHead(200, { 'content-type': 'text/html' }).end('<p>Hello');
      else response.writeHead(404, { 'content-type': 'text/html' }).end('<p>Not here');
    });
    assert.deepEqual(await listModels({ apiKey: '', baseURL: `${raw.url}/page` }, never), []);
    await assert.rejects(listModels({ apiKey: '', baseURL: raw.url }, never), ModelError);
  });
});

describe('ModelList', () => {
  function list(fetch: () => Promise<readonly ListedModel[] | undefined>) {
    const kept = new Map<string, unknown>();
    const world = { baseURL: 'http://one', now: 1, asked: 0, logged: 0 };
    const models = new ModelList({
      memory: {
        get: (key: string) => kept.get(key),
        update: async (key: string, value: unknown) => void kept.set(key, structuredClone(value)),
      },
      baseURL: () => world.baseURL,
      fetch: () => {
        world.asked += 1;
        return fetch();
      },
      now: () => world.now,
      log: () => (world.logged += 1),
    });
    return { models, world, kept };
  }

  it('keeps what the server said for a day, for its address alone', async () => {
    const { models, world } = list(async () => [{ id: 'a', contextWindow: 5 }]);
    assert.deepEqual(models.models(), []);
    await models.refreshIfOld();
    await models.refreshIfOld();
    assert.equal(world.asked, 1);
    assert.equal(models.find('a')?.contextWindow, 5);
    world.now += 25 * 3_600_000;
    await models.refreshIfOld();
    assert.equal(world.asked, 2);
    world.baseURL = 'http://one/v1/';
    assert.equal(models.models().length, 1, 'the same address, written otherwise');
    world.baseURL = 'http://two';
    assert.deepEqual(models.models(), []);
  });

  it('keeps what it has when the server fails, says so in the log, and does not ask again at once', async () => {
    const { models, world } = list(async () => {
      if (world.asked > 1) throw new Error('down');
      return [{ id: 'a' }];
    });
    await models.refreshIfOld();
    await models.refreshIfOld('always');
    await models.refreshIfOld();
    assert.deepEqual([models.models().length, world.asked, world.logged], [1, 2, 1]);
  });

  it('takes nothing from a memory that is damaged', () => {
    const { models, kept } = list(async () => []);
    kept.set('ratchet.models', { baseURL: 'http://one', models: 'no' });
    assert.deepEqual(models.models(), []);
  });
});
