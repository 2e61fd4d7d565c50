import assert from 'node:assert/strict';
import { request } from 'node:http';
import { text } from '../../support/messagesServer/reply.ts';
import { closeAt, dropAt, midStreamError, slow, stallAt } from '../../support/messagesServer/streamFaults.ts';
import { question, rawStream, receive, useServer, type ServerFixture } from './serverFixture.ts';

const long = text('The quick brown fox jumps over the lazy dog, twice.');

/** Reads a stream as it comes; `onText` gets all that came so far. Resolves with it at the end, however that comes. */
async function readBytes({ server }: ServerFixture, onText: (sofar: string, leave: () => void) => void) {
  const { promise, resolve, reject } = Promise.withResolvers<{ readonly got: string; readonly complete: boolean }>();
  const headers = { 'x-api-key': server.apiKey, 'anthropic-version': '2023-06-01' };
  const asked = request(`${server.url}/v1/messages`, { method: 'POST', headers }, (response) => {
    let got = '';
    const leave = (): void => void asked.destroy();
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      got += chunk;
      onText(got, leave);
    });
    // A cut response also emits an error; `close` follows and `complete` says it.
    response.on('error', () => undefined);
    response.on('close', () => {
      resolve({ got, complete: response.complete });
    });
  });
  asked.on('error', reject);
  asked.end(JSON.stringify({ ...question, stream: true }));
  return promise;
}

describe('streamFaults', () => {
  const fixture = useServer();

  it('dropAt destroys the connection after exactly so many bytes', async () => {
    fixture().server.script = () => dropAt(700, long);
    const { got, complete } = await readBytes(fixture(), () => undefined);
    assert.deepEqual([Buffer.byteLength(got), complete], [700, false]);
    assert.equal(await fixture().server.messageRequests[0]?.finished, 'dropped');
  });

  it('dropAt is an error for the SDK', async () => {
    const { events, error } = await receive(fixture(), dropAt(900, long));
    assert.ok(events.length > 0 && error instanceof Error);
  });

  it('dropAt 0 loses the connection before the first byte of the body', async () => {
    const { events, error } = await receive(fixture(), dropAt(0, long));
    assert.equal(events.length, 0);
    assert.ok(error instanceof Error);
  });

  it('closeAt ends the response cleanly, which the SDK takes for an end', async () => {
    fixture().server.script = () => closeAt(700, long);
    const { got, complete } = await readBytes(fixture(), () => undefined);
    assert.deepEqual([Buffer.byteLength(got), complete], [700, true]);
    const { events, error } = await receive(fixture(), closeAt(1100, long));
    assert.equal(error, undefined);
    assert.notEqual(events.at(-1)?.type, 'message_stop');
    assert.equal(await fixture().server.messageRequests[1]?.finished, 'closed');
  });

  it('stallAt sends nothing more until it is released, and then the rest', async () => {
    const whole = await rawStream(fixture(), long);
    const stalled = stallAt(700, long);
    fixture().server.script = () => stalled;
    const sizes: number[] = [];
    const { got, complete } = await readBytes(fixture(), (sofar) => {
      sizes.push(sofar.length);
      if (sofar.length === 700) stalled.release();
    });
    assert.ok(sizes.includes(700));
    assert.deepEqual([got.length, complete], [whole.length, true]);
  });

  it('stallAt can go on with pings between whole events', async () => {
    const stalled = stallAt(700, long, { pingEveryMs: 1 });
    fixture().server.script = () => stalled;
    const pings = (stream: string): number => stream.split('event: ping\n').length - 1;
    const { got } = await readBytes(fixture(), (sofar) => {
      if (pings(sofar) > 3) stalled.release();
    });
    for (const event of got.trimEnd().split('\n\n')) assert.match(event, /^event: \w+\ndata: \{.*\}$/);
    assert.match(got, /event: message_stop/);
  });

  it('notices that the client went away while it stalls', async () => {
    const { server } = fixture();
    const seen = Promise.withResolvers<undefined>();
    server.script = (_body, ctx) => {
      ctx.signal.addEventListener('abort', () => {
        seen.resolve(undefined);
      });
      assert.equal(ctx.aborted, false);
      return stallAt(700, long);
    };
    await readBytes(fixture(), (_sofar, leave) => {
      leave();
    }).catch(() => undefined);
    await seen.promise;
    assert.equal(await server.messageRequests[0]?.finished, 'aborted');
  });

  it('notices an abort of the SDK while it is slow', async () => {
    const { server, client } = fixture();
    server.script = () => slow(20, long);
    const stream = await client.messages.create({ ...question, stream: true });
    for await (const event of stream) if (event.type === 'content_block_delta') stream.controller.abort();
    assert.equal(await server.messageRequests[0]?.finished, 'aborted');
  });

  it('notices an abort while the script thinks', async () => {
    const { server, client } = fixture();
    server.script = async (_body, ctx) => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      ctx.signal.addEventListener('abort', () => {
        resolve(undefined);
      });
      await promise;
      return long;
    };
    const controller = new AbortController();
    const arrived = server.nextRequest();
    const asked = client.messages.create(question, { signal: controller.signal });
    await arrived.then(() => {
      controller.abort();
    });
    await assert.rejects(asked, /aborted/);
    assert.equal(await server.messageRequests[0]?.finished, 'aborted');
  });

  it('midStreamError sends an error event after so many blocks', async () => {
    const { events, error } = await receive(fixture(), midStreamError('overloaded_error', 1, [long, long]));
    assert.equal(events.at(-1)?.type, 'content_block_stop');
    assert.ok(error instanceof Error && 'type' in error);
    assert.equal(error.type, 'overloaded_error');
    assert.equal(await fixture().server.messageRequests[0]?.finished, 'failed');
  });

  it('midStreamError after 0 blocks comes after the start', async () => {
    const { events, error } = await receive(fixture(), midStreamError('api_error', 0, long));
    assert.deepEqual(
      events.map(({ type }) => type),
      ['message_start'],
    );
    assert.match(String(error), /api_error/);
  });

  it('says so when a fault cannot happen, instead of answering well', async () => {
    for (const reply of [dropAt(100_000, long), midStreamError('api_error', 2, long)]) {
      const { error } = await receive(fixture(), reply);
      assert.match(String(error), /the script failed/);
    }
    assert.equal(fixture().server.scriptErrors.length, 2);
  });
});
