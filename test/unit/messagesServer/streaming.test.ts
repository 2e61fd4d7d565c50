import assert from 'node:assert/strict';
import {
  maxTokensInside,
  message,
  pauseTurn,
  redactedThinking,
  refusal,
  text,
  thinking,
  toolUse,
} from '../../support/messagesServer/reply.ts';
import { slow } from '../../support/messagesServer/streamFaults.ts';
import { question, rawStream, receive, useServer } from './serverFixture.ts';

const long = `A quick fox, and ${'😀'.repeat(40)}, twice.`;

function namesOf(stream: string): readonly string[] {
  return [...stream.matchAll(/^event: (\w+)$/gm)].map(([, name]) => name ?? '');
}

describe('messagesServer, an ordinary answer', () => {
  const fixture = useServer();

  it('sends the events in the order of the API, with a ping after the first block has begun', async () => {
    const names = namesOf(await rawStream(fixture(), [text('Hi.'), toolUse('run', {})]));
    assert.deepEqual(names, [
      'message_start',
      'content_block_start',
      'ping',
      'content_block_delta',
      'content_block_stop',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  it('is put together by the SDK to what the script said', async () => {
    const { server, client } = fixture();
    server.script = () => [
      thinking(long),
      text(long),
      toolUse('run', { command: long, n: [1, { a: null }] }, 'toolu_1'),
    ];
    const got = await client.messages.stream(question).finalMessage();
    assert.equal(got.stop_reason, 'tool_use');
    assert.equal(got.model, question.model);
    const [thought, said, used] = got.content;
    assert.ok(thought?.type === 'thinking' && said?.type === 'text' && used?.type === 'tool_use');
    assert.deepEqual([thought.thinking, said.text], [long, long]);
    assert.match(thought.signature, /^[A-Za-z0-9+/]{40,}=*$/);
    assert.deepEqual([used.id, used.input], ['toolu_1', { command: long, n: [1, { a: null }] }]);
    assert.ok(got.usage.output_tokens > 1);
  });

  it('sends text, thinking and input in several pieces, each of whole characters', async () => {
    const { events } = await receive(fixture(), [thinking(long), text(long), toolUse('run', { command: long })]);
    const deltas = events.flatMap((event) => (event.type === 'content_block_delta' ? [event.delta] : []));
    for (const kind of ['thinking_delta', 'text_delta', 'input_json_delta']) {
      const pieces = deltas.filter(({ type }) => type === kind);
      assert.ok(pieces.length > 2, `${kind}: ${pieces.length}`);
      for (const piece of pieces) assert.ok(Object.values(piece).every((value) => String(value).isWellFormed()));
    }
    assert.equal(deltas.filter(({ type }) => type === 'signature_delta').length, 1);
  });

  it('is the same without stream', async () => {
    const { server, client } = fixture();
    server.script = () => [thinking('hm'), text(long), toolUse('run', { command: 'ls' })];
    const whole = await client.messages.create(question);
    const streamed = await client.messages.stream(question).finalMessage();
    assert.deepEqual(whole.content, streamed.content);
    assert.deepEqual([whole.stop_reason, whole.usage], [streamed.stop_reason, streamed.usage]);
  });

  it('takes its own answer back in the next request, thinking included', async () => {
    const { server, client } = fixture();
    server.script = ({ messages }) =>
      messages.length === 1 ? [thinking(long), redactedThinking('x'), toolUse('run', { a: 1 })] : text('done');
    const first = await client.messages.stream(question).finalMessage();
    const used = first.content.find((block) => block.type === 'tool_use');
    assert.ok(used !== undefined);
    const answer = { type: 'tool_result' as const, tool_use_id: used.id, content: 'ok' };
    const messages = [...question.messages, first, { role: 'user' as const, content: [answer] }];
    const params = messages.map(({ role, content }) => ({ role, content }));
    const second = await client.messages.stream({ ...question, messages: params }).finalMessage();
    assert.equal(second.content[0]?.type, 'text');
    assert.deepEqual(server.refused, []);
  });

  it('leaves the text of thinking out when it shall be omitted', async () => {
    const { server, client } = fixture();
    server.script = () => [thinking('secret'), text('x')];
    const settings = { thinking: { type: 'adaptive', display: 'omitted' } } as const;
    const [block] = (await client.messages.stream({ ...question, ...settings }).finalMessage()).content;
    assert.ok(block?.type === 'thinking');
    assert.equal(block.thinking, '');
    assert.notEqual(block.signature, '');
  });

  it('gives tool calls the same ids for the same request and others at another place', async () => {
    const { server, client } = fixture();
    server.script = () => [toolUse('run', {}), toolUse('run', {})];
    const idsOf = async (messages: typeof question.messages): Promise<readonly string[]> => {
      const { content } = await client.messages.create({ ...question, messages });
      return content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : []));
    };
    const ids = await idsOf(question.messages);
    assert.deepEqual(await idsOf(question.messages), ids);
    const later = await idsOf([...question.messages, { role: 'user', content: 'more' }]);
    const agent = await idsOf([{ role: 'user', content: 'another task' }]);
    assert.equal(new Set([...ids, ...later, ...agent]).size, 6);
  });

  it('gives no id that the conversation has already, as after a compaction', async () => {
    const { server, client } = fixture();
    server.script = () => toolUse('run', {});
    const idAfter = async (used: string): Promise<string> => {
      const call = { type: 'tool_use' as const, id: used, name: 'run', input: {} };
      const answer = { type: 'tool_result' as const, tool_use_id: used, content: 'ok' };
      const messages = [
        ...question.messages,
        { role: 'assistant' as const, content: [call] },
        { role: 'user' as const, content: [answer] },
      ];
      const { content } = await client.messages.create({ ...question, messages });
      return content[0]?.type === 'tool_use' ? content[0].id : '';
    };
    const first = await idAfter('toolu_1');
    assert.match(first, /^toolu_\w+$/);
    assert.notEqual(await idAfter(first), first);
  });

  it('counts what an earlier request had put into the cache', async () => {
    const { client } = fixture();
    const cached = { ...question, system: 'You are kind.', cache_control: { type: 'ephemeral' as const } };
    const cold = (await client.messages.create(cached)).usage;
    const longer = [...question.messages, { role: 'user' as const, content: 'and more' }];
    const warm = (await client.messages.create({ ...cached, messages: longer })).usage;
    const other = (await client.messages.create({ ...cached, system: 'You are not.' })).usage;
    assert.equal(cold.cache_read_input_tokens, 0);
    assert.equal(warm.cache_read_input_tokens, cold.cache_creation_input_tokens);
    assert.equal(other.cache_read_input_tokens, 0);
    assert.equal((await client.messages.create(question)).usage.cache_read_input_tokens, 0);
  });
});

describe('messagesServer, an unusual end', () => {
  const fixture = useServer();

  it('stops with max_tokens inside of the input of a tool call', async () => {
    const call = toolUse('run', { command: 'echo 😀' });
    const { events, error } = await receive(fixture(), maxTokensInside(call, 19, [text('I begin')]));
    assert.equal(error, undefined);
    const json = events
      .flatMap((event) => (event.type === 'content_block_delta' ? [event.delta] : []))
      .map((delta) => (delta.type === 'input_json_delta' ? delta.partial_json : ''))
      .join('');
    assert.equal(json, '{"command":"echo ');
    const end = events.at(-2);
    assert.ok(end?.type === 'message_delta');
    assert.equal(end.delta.stop_reason, 'max_tokens');
    assert.equal(events.at(-1)?.type, 'message_stop');
  });

  it('cuts nothing silently', () => {
    assert.throws(() => maxTokensInside(toolUse('run', {}), 2), RangeError);
  });

  it('pauses a turn, and takes it back as it is', async () => {
    const { server, client } = fixture();
    server.script = ({ messages }) => (messages.length === 1 ? pauseTurn([text('I search')]) : text('found'));
    const paused = await client.messages.create(question);
    assert.equal(paused.stop_reason, 'pause_turn');
    const messages = [...question.messages, { role: paused.role, content: paused.content }];
    assert.equal((await client.messages.create({ ...question, messages })).stop_reason, 'end_turn');
  });

  it('refuses with details', async () => {
    const { server, client } = fixture();
    server.script = () => refusal([], { category: 'cyber', explanation: 'no' });
    const got = await client.messages.stream(question).finalMessage();
    assert.equal(got.stop_reason, 'refusal');
    assert.deepEqual(got.stop_details, { type: 'refusal', category: 'cyber', explanation: 'no' });
  });

  it('stops as it is told', async () => {
    const { server, client } = fixture();
    server.script = () => message([text('x')], { stop_reason: 'model_context_window_exceeded' });
    assert.equal((await client.messages.create(question)).stop_reason, 'model_context_window_exceeded');
  });

  it('is complete when it is slow', async () => {
    const { events, error } = await receive(fixture(), slow(1, text(long)));
    assert.equal(error, undefined);
    assert.equal(events.at(-1)?.type, 'message_stop');
  });
});
