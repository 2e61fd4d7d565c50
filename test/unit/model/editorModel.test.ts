import assert from 'node:assert/strict';
import type { ModelRequest, RequestMessage } from '../../../src/core/messages.ts';
import { createEditorModel, type EditorAnswerPart, type EditorChat } from '../../../src/model/editorModel.ts';
import { editorRequest, imageLeftOut, type EditorRequest } from '../../../src/model/editorMessages.ts';
import { editorModelError } from '../../../src/model/editorModelFailure.ts';
import { silentLog } from '../../../src/model/log.ts';
import { editorModelLimits } from '../../../src/model/modelLimits.ts';
import { ModelError, type StreamDelta } from '../../../src/runner/ports.ts';

const never = new AbortController().signal;
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } } as const;

function requestOf(...messages: RequestMessage[]): ModelRequest {
  return {
    model: 'vscode:test/one/one',
    max_tokens: 100,
    cache_control: { type: 'ephemeral' },
    system: [{ type: 'text', text: 'You are it.' }],
    tools: [{ name: 'read', description: 'Reads.', input_schema: { type: 'object' } }],
    messages,
  };
}

const conversation: readonly RequestMessage[] = [
  { role: 'user', content: [image, { type: 'text', text: 'Look.' }] },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'Hm.', signature: 's' },
      { type: 'redacted_thinking', data: 'x' },
      { type: 'text', text: 'I read.' },
      { type: 'tool_use', id: 'toolu_1', name: 'read', input: { file_path: 'a' } },
      { type: 'tool_use', id: 'toolu_2', name: 'read', input: { file_path: 'b' } },
    ],
  },
  {
    role: 'user',
    content: [
      { type: 'tool_result', tool_use_id: 'toolu_1', content: 'A' },
      { type: 'tool_result', tool_use_id: 'toolu_2', content: 'gone', is_error: true },
      { type: 'text', text: 'Go on.' },
    ],
  },
];

describe('a request to a model of the editor', () => {
  it('has the prompt first, calls with their ids, results on their own, and no thinking', () => {
    const { messages, tools } = editorRequest(requestOf(...conversation), true);
    assert.deepEqual(messages, [
      { role: 'user', parts: [{ kind: 'text', text: 'You are it.' }] },
      {
        role: 'user',
        parts: [
          { kind: 'image', mediaType: 'image/png', data: 'AAAA' },
          { kind: 'text', text: 'Look.' },
        ],
      },
      {
        role: 'assistant',
        parts: [
          { kind: 'text', text: 'I read.' },
          { kind: 'call', id: 'toolu_1', name: 'read', input: { file_path: 'a' } },
          { kind: 'call', id: 'toolu_2', name: 'read', input: { file_path: 'b' } },
        ],
      },
      {
        role: 'user',
        parts: [
          { kind: 'result', callId: 'toolu_1', text: 'A' },
          { kind: 'result', callId: 'toolu_2', text: 'ERROR\ngone' },
        ],
      },
      { role: 'user', parts: [{ kind: 'text', text: 'Go on.' }] },
    ]);
    assert.deepEqual(
      tools.map(({ name }) => name),
      ['read'],
    );
  });

  it('begins with the messages of the shorter one that it goes on from', () => {
    for (let length = 1; length < conversation.length; length++) {
      const shorter = editorRequest(requestOf(...conversation.slice(0, length)), false).messages;
      const longer = editorRequest(requestOf(...conversation), false).messages;
      assert.deepEqual(longer.slice(0, shorter.length), shorter);
    }
  });

  it('says that an image is left out where the model takes none', () => {
    const { messages } = editorRequest(requestOf(...conversation.slice(0, 1)), false);
    assert.deepEqual(messages[1]?.parts[0], { kind: 'text', text: imageLeftOut });
  });
});

describe('an answer of a model of the editor', () => {
  let sent: EditorRequest | undefined;
  let cancelled: AbortSignal | undefined;

  function modelOf(
    parts: () => AsyncIterable<EditorAnswerPart>,
    more: Partial<EditorChat> = {},
    idleTimeoutMs = 60_000,
  ) {
    const chat: EditorChat = {
      name: 'One',
      takesImages: false,
      send: async (request, signal) => {
        sent = request;
        cancelled = signal;
        return parts();
      },
      countTokens: async (text) => text.length,
      ...more,
    };
    return createEditorModel({ chat, idleTimeoutMs, log: silentLog });
  }

  async function* given(...parts: EditorAnswerPart[]): AsyncGenerator<EditorAnswerPart> {
    yield* parts;
  }

  const hanging: AsyncIterable<EditorAnswerPart> = {
    [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => undefined) }),
  };

  const ask = (model: ReturnType<typeof modelOf>, signal = never, onDelta: (delta: StreamDelta) => void = () => {}) =>
    model.stream(requestOf({ role: 'user', content: [{ type: 'text', text: 'Go.' }] }), { onDelta, signal });

  const failing = async (model: ReturnType<typeof modelOf>): Promise<ModelError> => {
    const error: unknown = await ask(model).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    assert.ok(error instanceof ModelError);
    return error;
  };

  it('becomes text and calls in order, with what it used as the editor counts it', async () => {
    const deltas: StreamDelta[] = [];
    const model = modelOf(() =>
      given(
        { kind: 'text', text: 'I ' },
        { kind: 'other' },
        { kind: 'text', text: 'read.' },
        { kind: 'call', id: 'call_1', name: 'read', input: { file_path: 'a' } },
        { kind: 'text', text: 'And more.' },
      ),
    );
    const message = await ask(model, never, (delta) => deltas.push(delta));
    assert.deepEqual(message.content, [
      { type: 'text', text: 'I read.' },
      { type: 'tool_use', id: 'call_1', name: 'read', input: { file_path: 'a' } },
      { type: 'text', text: 'And more.' },
    ]);
    assert.equal(message.stopReason, 'tool_use');
    assert.ok(message.usage.inputTokens > 'You are it.Go.'.length && message.usage.outputTokens > 0);
    assert.deepEqual(
      deltas.map(({ kind, index }) => [kind, index]),
      [
        ['text', 0],
        ['text', 0],
        ['tool', 1],
        ['text', 2],
      ],
    );
    assert.equal(sent?.messages.length, 2);
  });

  it('that calls nothing ends the turn', async () => {
    const message = await ask(modelOf(() => given({ kind: 'text', text: 'Done.' })));
    assert.equal(message.stopReason, 'end_turn');
  });

  it('has ids, names and inputs that any other model takes back', async () => {
    const { content } = await ask(
      modelOf(() =>
        given(
          { kind: 'call', id: 'functions.read:0', name: 'functions.read', input: 'nothing' },
          { kind: 'call', id: '', name: 'read', input: undefined },
        ),
      ),
    );
    assert.deepEqual(content, [
      { type: 'tool_use', id: 'functions_read_0', name: 'functions_read', input: {} },
      { type: 'tool_use', id: 'call_1', name: 'read', input: {} },
    ]);
  });

  it('that is empty may be asked for again', async () => {
    const { kind, code } = await failing(modelOf(() => given({ kind: 'other' })));
    assert.deepEqual([kind, code], ['retryable', 'empty_answer']);
  });

  it('that is stopped ends at once with the reason, whether or not the provider heeds it', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped by the user');
    const asked = ask(
      modelOf(() => hanging),
      stop.signal,
    );
    stop.abort(reason);
    await assert.rejects(asked, (error) => error === reason);
    assert.equal(cancelled?.aborted ?? true, true);
  });

  it('that ends because it was cancelled is not taken for a whole one', async () => {
    const stop = new AbortController();
    const reason = new Error('stopped by the user');
    const asked = Promise.withResolvers<undefined>();
    let parts = 0;
    const heeding: AsyncIterable<EditorAnswerPart> = {
      [Symbol.asyncIterator]: () => ({
        next: () =>
          new Promise((resolve) => {
            if (++parts === 1) {
              resolve({ done: false, value: { kind: 'text', text: 'I was' } });
              return;
            }
            cancelled?.addEventListener('abort', () => {
              resolve({ done: true, value: undefined });
            });
            asked.resolve(undefined);
          }),
      }),
    };
    const answered = ask(
      modelOf(() => heeding),
      stop.signal,
    );
    await asked.promise;
    stop.abort(reason);
    await assert.rejects(answered, (error) => error === reason);
  });

  it('that stops coming is stalled', async () => {
    const { kind, message } = await failing(modelOf(() => hanging, {}, 20));
    assert.equal(kind, 'stalled');
    assert.match(message, /^One said nothing for .* Resume asks again/);
  });

  it('is estimated where the editor does not count', async () => {
    const uncounted = modelOf(() => given({ kind: 'text', text: 'Done.' }), {
      countTokens: () => Promise.reject(new Error('no tokenizer')),
    });
    assert.ok((await ask(uncounted)).usage.inputTokens > 0);
    assert.equal(await uncounted.countTokens?.(requestOf(), never), undefined);
  });

  const refused: readonly (readonly [string, string, ModelError['kind'], string])[] = [
    ['NoPermissions', '', 'terminal', 'no_permission'],
    ['NotFound', '', 'terminal', 'model_not_found'],
    ['Blocked', 'by policy', 'terminal', 'model_blocked'],
    ['Blocked', 'You have exceeded your premium requests quota', 'terminal', 'low_balance'],
    ['', 'Sorry, you have been rate-limited', 'retryable', 'rate_limited'],
    ['Unknown', 'prompt token count of 140000 exceeds the limit of 128000 tokens', 'terminal', 'prompt_too_long'],
    ['Unknown', 'socket hang up', 'retryable', 'editor_model'],
  ];
  for (const [editorCode, said, kind, code] of refused) {
    it(`that fails with ${editorCode || 'no code'} "${said}" is ${code}, in words with what to do`, async () => {
      const cause = new Error(said);
      const thrown = Object.assign(new Error(editorCode === 'Unknown' ? '' : said, { cause }), { code: editorCode });
      const error = await failing(modelOf(() => given(), { send: () => Promise.reject(thrown) }));
      assert.deepEqual([error.kind, error.code], [kind, code]);
      assert.match(error.message, /^\S.+/);
      assert.equal(error.cause, thrown);
      assert.equal(editorModelError(error, 'One'), error);
    });
  }

  it('has a window that leaves room, by what the editor says and what is set', () => {
    assert.deepEqual(editorModelLimits(128_000, 0), { contextWindow: 128_000, maxTokens: 16_000 });
    assert.equal(editorModelLimits(128_000, 32_000).contextWindow, 32_000);
    assert.equal(editorModelLimits(16_000, 200_000).contextWindow, 16_000);
    assert.ok(editorModelLimits(undefined, 0).contextWindow > 0);
    assert.ok(editorModelLimits(0, 0).contextWindow > 0);
  });
});
