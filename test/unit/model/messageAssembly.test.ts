import assert from 'node:assert/strict';
import { silentLog } from '../../../src/model/log.ts';
import { createMessageAssembly } from '../../../src/model/messageAssembly.ts';
import { ModelError, type CompletedMessage, type StreamDelta } from '../../../src/runner/ports.ts';
import { startEvent, textEvents } from './rawServer.ts';

type Event = { readonly type: string; readonly [field: string]: unknown };

function toolEvents(index: number, name: string, ...json: readonly string[]): readonly Event[] {
  const content_block = { type: 'tool_use', id: `toolu_${String(index)}`, name, input: {} };
  return [
    { type: 'content_block_start', index, content_block },
    ...json.map((partial_json) => ({
      type: 'content_block_delta',
      index,
      delta: { type: 'input_json_delta', partial_json },
    })),
    { type: 'content_block_stop', index },
  ];
}

function assemble(events: readonly Event[], stopReason: string | null, deltas: StreamDelta[] = []): CompletedMessage {
  const assembly = createMessageAssembly({
    model: 'asked-model',
    onDelta: (delta) => deltas.push(delta),
    onError: ({ type }) => new ModelError({ kind: 'retryable', code: type ?? 'none', message: 'error event' }),
    log: silentLog,
  });
  const end = [{ type: 'message_delta', delta: { stop_reason: stopReason } }, { type: 'message_stop' }];
  for (const event of [...events, ...end]) assembly.accept(event);
  return assembly.finish();
}

function isCode(code: string): (error: unknown) => boolean {
  return (error) => error instanceof ModelError && error.kind === 'retryable' && error.code === code;
}

describe('messageAssembly', () => {
  it('puts the input of a call together from pieces cut anywhere', () => {
    const json = JSON.stringify({ text: 'ünï 🌍 "quoted"', nested: { list: [1, null] } });
    const { content } = assemble(toolEvents(0, 'write', ...Array.from(json)), 'tool_use');
    assert.deepEqual(content, [{ type: 'tool_use', id: 'toolu_0', name: 'write', input: JSON.parse(json) as unknown }]);
  });

  it('keeps the order of the keys that the model wrote', () => {
    const { content } = assemble(toolEvents(0, 'write', '{"z":1,"a":2}'), 'tool_use');
    assert.equal(JSON.stringify(content[0]?.type === 'tool_use' && content[0].input), '{"z":1,"a":2}');
  });

  it('takes a call without input, and one whose input came at once', () => {
    const block = { type: 'tool_use', id: 'toolu_1', name: 'b', input: { x: 1 } };
    const { content } = assemble(
      [...toolEvents(0, 'a'), { type: 'content_block_start', index: 1, content_block: block }],
      'tool_use',
    );
    assert.deepEqual(
      content.map((call) => call.type === 'tool_use' && call.input),
      [{}, { x: 1 }],
    );
  });

  for (const json of ['{"a":', '[1]', '"text"', 'null', '7']) {
    it(`refuses ${json} as the input of a call`, () => {
      assert.throws(() => assemble(toolEvents(0, 'write', json), 'tool_use'), isCode('malformed_tool_input'));
    });
  }

  for (const stopReason of ['max_tokens', 'model_context_window_exceeded', 'refusal']) {
    for (const [what, json] of [
      ['that was cut', '{"file_path":"a","content":"half'],
      ['that happens to be whole', '{"file_path":"a","content":"half"}'],
    ] as const) {
      it(`leaves out a last call ${what} with ${stopReason}`, () => {
        const events = [...textEvents(0, 'Writing.'), ...toolEvents(1, 'write', json)];
        const { content } = assemble(events, stopReason);
        assert.deepEqual(content, [{ type: 'text', text: 'Writing.' }]);
      });
    }
  }

  it('leaves nothing when the cut call was all there was', () => {
    assert.deepEqual(assemble(toolEvents(0, 'write', '{"a"'), 'max_tokens').content, []);
  });

  it('leaves out only the last call, and text that was cut stays', () => {
    const two = assemble([...toolEvents(0, 'a', '{}'), ...toolEvents(1, 'b', '{')], 'max_tokens');
    assert.deepEqual(
      two.content.map((block) => block.type === 'tool_use' && block.name),
      ['a'],
    );
    const text = assemble([...toolEvents(0, 'a', '{}'), ...textEvents(1, 'and th')], 'max_tokens');
    assert.deepEqual(
      text.content.map((block) => block.type),
      ['tool_use', 'text'],
    );
  });

  it('keeps thinking and its signature byte for byte', () => {
    const thinking = ' \n\tSpaces,\u2028 lines and 🌍\ud83d ';
    const events: Event[] = [
      { type: 'content_block_start', index: 0, content_block: { type: 'thinking', thinking: '', signature: '' } },
      ...Array.from(thinking).map((piece) => ({
        type: 'content_block_delta',
        index: 0,
        delta: { type: 'thinking_delta', thinking: piece },
      })),
      { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'a+/b==' } },
      { type: 'content_block_start', index: 1, content_block: { type: 'redacted_thinking', data: 'x+/y==' } },
    ];
    assert.deepEqual(assemble(events, 'end_turn').content, [
      { type: 'thinking', thinking, signature: 'a+/b==' },
      { type: 'redacted_thinking', data: 'x+/y==' },
    ]);
  });

  it('adds up counts as totals, and keeps what a later event leaves out', () => {
    const { usage, model } = assemble(
      [startEvent, { type: 'message_delta', delta: {}, usage: { output_tokens: 40, input_tokens: null } }],
      'end_turn',
    );
    assert.deepEqual(usage, { inputTokens: 7, outputTokens: 40, cacheReadTokens: 5, cacheWriteTokens: 0 });
    assert.equal(model, 'served-model');
  });

  it('names the model that was asked when the server names none', () => {
    assert.equal(assemble([{ type: 'message_start', message: {} }], 'end_turn').model, 'asked-model');
  });

  for (const reason of [null, '', ' ']) {
    it(`is cut with the stop reason ${JSON.stringify(reason)}: such an answer has not come to its end`, () => {
      assert.throws(() => assemble(textEvents(0, 'Hi.'), reason), isCode('stream_cut'));
    });
  }

  it('keeps the reason that was given when a later event has none', () => {
    const early = { type: 'message_delta', delta: { stop_reason: 'end_turn' } };
    assert.equal(assemble([...textEvents(0, 'Hi.'), early], null).stopReason, 'end_turn');
  });

  for (const [given, taken] of [
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['content_filter', 'refusal'],
    ['pause_turn', 'pause_turn'],
    ['something_new', 'something_new'],
    ['constructor', 'constructor'],
  ] as const) {
    it(`takes the stop reason ${given} for ${taken}`, () => {
      assert.equal(assemble(textEvents(0, 'Hi.'), given).stopReason, taken);
    });
  }

  for (const given of ['end_turn', 'stop_sequence', 'stop', 'tool_calls']) {
    it(`waits for the calls of an answer that ends with ${given}`, () => {
      assert.equal(assemble(toolEvents(0, 'read', '{}'), given).stopReason, 'tool_use');
    });
  }

  it('leaves out the last call of an answer that a server calls cut in words of its own', () => {
    assert.deepEqual(assemble(toolEvents(0, 'write', '{}'), 'length').content, []);
  });

  for (const id of ['', null, undefined]) {
    it(`takes a call with the id ${JSON.stringify(id)}: it gets another`, () => {
      const block = { type: 'tool_use', name: 'read', input: {}, ...(id !== undefined && { id }) };
      const { content } = assemble([{ type: 'content_block_start', index: 0, content_block: block }], 'tool_use');
      assert.deepEqual(content, [{ type: 'tool_use', id: '', name: 'read', input: {} }]);
    });
  }

  const misfits: readonly (readonly [string, readonly Event[]])[] = [
    ['a delta for no block', textEvents(3, 'x').slice(1)],
    ['text in a call', [...toolEvents(0, 'a').slice(0, 1), ...textEvents(0, 'x').slice(1)]],
    ['a call without a name', [{ type: 'content_block_start', index: 0, content_block: { type: 'tool_use' } }]],
    ['no event at all', [{ type: 'content_block_start', index: 'one' }]],
  ];
  for (const [what, events] of misfits) {
    it(`refuses ${what}`, () => {
      assert.throws(() => assemble(events, 'end_turn'), isCode('bad_response'));
    });
  }

  it('hands an error event over, also where it comes under another name', () => {
    assert.throws(
      () => assemble([{ type: 'error', error: { type: 'overloaded_error' } }], null),
      isCode('overloaded_error'),
    );
  });

  it('does not announce empty pieces', () => {
    const deltas: StreamDelta[] = [];
    assemble(textEvents(0, '', 'a', ''), 'end_turn', deltas);
    assert.deepEqual(deltas, [{ kind: 'text', index: 0, text: 'a' }]);
  });
});
