import assert from 'node:assert/strict';
import type { AssistantBlock, ModelRequest } from '../../../src/core/messages.ts';
import { definitionOfEditorTool } from '../../../src/core/editorTools.ts';
import { createEditorModel, type EditorAnswerPart } from '../../../src/model/editorModel.ts';
import type { EditorRequest } from '../../../src/model/editorMessages.ts';
import { silentLog } from '../../../src/model/log.ts';
import type { ModelPort } from '../../../src/runner/ports.ts';
import type { ModelChoice } from '../../../src/runner/sessionPorts.ts';
import { createEditorTool } from '../../../src/tools/editorTool.ts';
import { createBench, settings, type Bench, type BenchOptions } from '../../support/fakes/bench.ts';
import { answer, call, createScriptedModel, hangs, say } from '../../support/fakes/scriptedModel.ts';
import { defaultSigningKey, signThinking } from '../../support/messagesServer/signatures.ts';
import { validateRequest } from '../../support/messagesServer/validateRequest.ts';

const editorId = 'vscode:test/one/one';
const claude = settings.model;
const thinking: AssistantBlock = {
  type: 'thinking',
  thinking: 'Hm.',
  signature: signThinking(defaultSigningKey, claude, 'Hm.'),
};

describe('a session that goes from one kind of model to the other', () => {
  let asked: EditorRequest[];
  let answers: (readonly EditorAnswerPart[])[];

  beforeEach(() => {
    asked = [];
    answers = [];
  });

  const editorModel: ModelPort = createEditorModel({
    chat: {
      name: 'One',
      takesImages: false,
      send: async (request) => {
        asked.push(request);
        const parts = answers.shift() ?? [{ kind: 'text', text: 'Done.' }];
        return (async function* () {
          yield* parts;
        })();
      },
      countTokens: async (text) => text.length,
    },
    idleTimeoutMs: 60_000,
    log: silentLog,
  });

  /** A window in which the model's name says who answers. */
  function window(scripted: ModelPort, options: BenchOptions): Bench {
    const prepareModel = async ({ model = claude }: ModelChoice) =>
      model === editorId
        ? {
            port: editorModel,
            settings: { model, thinking: 'off' as const, maxTokens: 8_000, takesSystemMessages: false },
          }
        : { port: scripted, settings: { ...settings, model } };
    return createBench({ ...options, ports: { ...options.ports, prepareModel } });
  }

  function assertValid(request: ModelRequest | undefined): void {
    assert.ok(request);
    assert.equal(validateRequest({ ...request, stream: true }), undefined);
  }

  /** Each call is answered once, in the message after it. */
  function assertPaired({ messages }: EditorRequest): void {
    for (const [index, { parts }] of messages.entries()) {
      const calls = parts.flatMap((part) => (part.kind === 'call' ? [part.id] : []));
      if (calls.length === 0) continue;
      const results = messages[index + 1]?.parts.map((part) => (part.kind === 'result' ? part.callId : '')) ?? [];
      assert.deepEqual(results, calls);
    }
  }

  it('takes its work along, in both directions, with the ids of calls and without thinking', async () => {
    const scripted = createScriptedModel([
      answer(thinking, say('I note.'), call('toolu_1', 'note', { n: 1 })),
      hangs('I was just'),
    ]);
    const first = window(scripted, { ownerId: 'first' });
    const id = await first.create();
    await first.sessions.send(id, 'Do it.');
    await scripted.requested(2);
    first.disk.kill('first');

    answers = [
      [
        { kind: 'text', text: 'I note more.' },
        { kind: 'call', id: 'functions.note:0', name: 'note', input: { n: 2 } },
      ],
      [{ kind: 'text', text: 'Both are noted.' }],
    ];
    const second = window(scripted, { ownerId: 'second', disk: first.disk });
    await second.sessions.resume(id, { model: editorId });
    assert.equal((await second.ended(id)).name, 'done');
    assert.equal(asked.length, 2);
    for (const request of asked) assertPaired(request);
    const [resumed, last] = asked;
    assert.ok(resumed && last);
    assert.ok(JSON.stringify(resumed.messages).includes('toolu_1'));
    assert.equal(JSON.stringify(resumed.messages).includes('Hm.'), false);
    assert.deepEqual(last.messages.slice(0, resumed.messages.length), resumed.messages);
    const run = (await second.sessions.open(id)).state.runs.at(-1);
    assert.deepEqual([run?.model, run?.thinking], [editorId, 'off']);

    const third = window(scripted, { ownerId: 'third', disk: first.disk });
    await third.sessions.send(id, 'And again.');
    await third.ended(id);
    const request = scripted.requests.at(-1);
    assertValid(request);
    assert.equal(request?.model, claude);
    const calls = request.messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])),
    );
    assert.deepEqual(calls, ['toolu_1', 'functions_note_0']);
  });

  it('changes its prompt only when the choice of editor tools does, and never on a resume', async () => {
    const scripted = createScriptedModel([answer(say('One.')), answer(say('Two.')), hangs('')]);
    const weather = createEditorTool(
      { name: 'weather', description: 'Looks.' },
      { find: (name) => ({ name, description: '' }), invoke: async () => [] },
    );
    const base = createBench();
    const first = window(scripted, { ownerId: 'first', ports: { tools: [...base.ports.tools, weather] } });
    const id = await first.create();
    for (const text of ['One', 'Two', 'Three']) {
      await first.sessions.send(id, text);
      if (text !== 'Three') await first.ended(id);
    }
    await scripted.requested(3);
    first.disk.kill('first');
    const prompts = () => first.disk.events(id).flatMap((event) => (event.type === 'prompt_set' ? [event.tools] : []));
    assert.deepEqual(
      prompts().map((tools) => tools.at(-1)),
      [definitionOfEditorTool({ name: 'weather', description: 'Looks.' })],
    );

    scripted.turns.push(answer(call('c1', 'editor_weather')), answer(say('Done.')));
    const second = window(scripted, { ownerId: 'second', disk: first.disk });
    await second.sessions.resume(id);
    await second.ended(id);
    assert.equal(prompts().length, 1);
    assert.equal(scripted.requests.at(-1)?.tools.at(-1)?.name, 'editor_weather');
    // It was taken away meanwhile: the model is told, and the run goes on.
    const told = second.events(id).find((event) => event.type === 'step_finished');
    assert.match(told?.type === 'step_finished' ? told.content : '', /There is no tool named "editor_weather"/);

    await second.sessions.send(id, 'Four');
    await second.ended(id);
    assert.equal(prompts().length, 2);
  });
});
