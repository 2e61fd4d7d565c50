import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { RatchetApi } from '../../src/api.ts';
import { editorModelId } from '../../src/core/editorModelId.ts';
import { EditorModels } from '../../src/host/editorModels.ts';
import { EditorToolChoice, editorTools } from '../../src/host/editorToolChoice.ts';
import { RunStopped } from '../../src/runner/runStopped.ts';
import type { ToolContext } from '../../src/runner/ports.ts';
import { stampTool, testModel, testModelId, vendor } from '../support/editorModels/manifest.ts';
import { PublishedEvents, ratchetApi } from '../support/session/hostApi.ts';

type Answer = (
  messages: readonly vscode.LanguageModelChatRequestMessage[],
  progress: vscode.Progress<vscode.LanguageModelResponsePart>,
  token: vscode.CancellationToken,
) => Promise<void>;

const textPart = (text: string) => new vscode.LanguageModelTextPart(text);
const say =
  (text: string): Answer =>
  async (_messages, progress) => {
    progress.report(textPart(text));
  };

/** The suite is the code of an extension that is there as a manifest only. */
describe('the language models and tools of the editor', () => {
  let api: RatchetApi;
  let answer: Answer;
  const registered: vscode.Disposable[] = [];
  const configuration = () => vscode.workspace.getConfiguration('ratchet');

  before(async () => {
    api = await ratchetApi();
    registered.push(
      vscode.lm.registerLanguageModelChatProvider(vendor, {
        provideLanguageModelChatInformation: () => [testModel],
        provideTokenCount: async (_model, text) => (typeof text === 'string' ? text.length : 1),
        provideLanguageModelChatResponse: (_model, messages, _options, progress, token) =>
          answer(messages, progress, token),
      }),
    );
    await configuration().update('model', testModelId, vscode.ConfigurationTarget.Global);
    await configuration().update('approvalMode', 'allowAll', vscode.ConfigurationTarget.Global);
  });

  after(async () => {
    for (const each of registered) each.dispose();
    for (const key of ['model', 'approvalMode'])
      await configuration().update(key, undefined, vscode.ConfigurationTarget.Global);
  });

  async function ended(text: string) {
    const { id } = await api.createSession();
    const events = new PublishedEvents(api, id);
    try {
      await api.sendMessage(id, text);
      return { end: await events.ended(), events, id };
    } finally {
      events.dispose();
    }
  }

  it('are listed by names that find them again', async () => {
    const models = new EditorModels(() => {});
    try {
      const listed = (await models.list()).find(({ model }) => model === testModelId);
      assert.deepEqual(
        [listed?.name, listed?.maxInputTokens, listed?.takesImages],
        [testModel.name, testModel.maxInputTokens, false],
      );
      assert.equal(editorModelId({ vendor, family: testModel.family, id: testModel.id }), testModelId);
      const found = await models.find(testModelId);
      assert.equal(found?.chat.name, testModel.name);
      assert.equal(await found.chat.countTokens('four', new AbortController().signal), 4);
    } finally {
      models.dispose();
    }
  });

  it('answer a session: the prompt first, calls and results by their ids, usage as they count it', async () => {
    const seen: (readonly vscode.LanguageModelChatRequestMessage[])[] = [];
    answer = async (messages, progress, token) => {
      seen.push(messages);
      if (seen.length > 1) return say('It is empty.')(messages, progress, token);
      progress.report(textPart('I look.'));
      progress.report(new vscode.LanguageModelToolCallPart('call_1', 'glob', { pattern: '*.nothing' }));
    };
    const { end, events } = await ended('Look around.');
    assert.equal(end.outcome, 'done');
    const [first] = events.of('assistant_message_completed');
    assert.equal(first?.model, testModelId);
    assert.ok(first.usage.inputTokens > 1_000);
    const parts = (index: number) => seen[1]?.[index]?.content ?? [];
    assert.match((parts(0)[0] as vscode.LanguageModelTextPart).value, /^You are Ratchet/);
    const result = parts(3)[0];
    assert.ok(result instanceof vscode.LanguageModelToolResultPart);
    assert.equal(result.callId, 'call_1');
  });

  it('say what to do when they refuse, and what is wrong when they are not there', async () => {
    answer = () => Promise.reject(vscode.LanguageModelError.NoPermissions('no'));
    const { end } = await ended('Go.');
    assert.equal(end.error?.code, 'no_permission');
    assert.match(end.error.message, /Manage Language Model Access/);
    await configuration().update('model', `vscode:${vendor}/none/none`, vscode.ConfigurationTarget.Global);
    const { id } = await api.createSession();
    await assert.rejects(api.sendMessage(id, 'Go.'), { code: 'no_model' });
    await configuration().update('model', testModelId, vscode.ConfigurationTarget.Global);
  });

  it('are stopped at once, and their request is cancelled', async () => {
    const asked = Promise.withResolvers<vscode.CancellationToken>();
    answer = (_messages, progress, token) => {
      progress.report(textPart('I begin'));
      asked.resolve(token);
      return new Promise(() => undefined);
    };
    const { id } = await api.createSession();
    const events = new PublishedEvents(api, id);
    await api.sendMessage(id, 'Go.');
    const token = await asked.promise;
    await api.stopSession(id);
    assert.equal((await events.ended()).outcome, 'cancelled');
    events.dispose();
    if (!token.isCancellationRequested) await new Promise((resolve) => token.onCancellationRequested(resolve));
  });

  describe('a tool', () => {
    const values = new Map<string, string>();
    const logged: string[] = [];
    const state: vscode.Memento = {
      keys: () => [...values.keys()],
      get: (key: string) => {
        const text = values.get(key);
        return (text === undefined ? undefined : JSON.parse(text)) as never;
      },
      update: async (key, value: unknown) => {
        if (value === undefined) values.delete(key);
        else values.set(key, JSON.stringify(value));
      },
    };
    const choice = () => new EditorToolChoice(state, (message) => void logged.push(message));
    const contextOf = (signal = new AbortController().signal): ToolContext => ({
      ...{ sessionId: 's', stepId: 'step1', folder: '/', storage: '/', tasks: [], done: () => [], signal },
      showOutput: () => {},
      log: () => {},
    });

    it('is known by its manifest, chosen and kept with its description', async () => {
      const tool = editorTools().find(({ name }) => name === stampTool);
      assert.ok(tool);
      assert.deepEqual(choice().tools(), []);
      await choice().choose([tool]);
      const [made] = choice().tools();
      assert.equal(made?.definition.name, `editor_${stampTool}`);
      assert.deepEqual(made.definition.input_schema.required, ['word']);
      const same = choice();
      assert.equal(same.tools(), same.tools());
      values.set('ratchet.editorTools', '"damaged"');
      assert.deepEqual(choice().tools(), []);
      assert.match(logged.join(), /cannot be read/);
      await choice().choose([tool]);
    });

    it('is called by the editor, with each kind of part as text, and cancelled with the run', async () => {
      const hanging = Promise.withResolvers<vscode.CancellationToken>();
      registered.push(
        vscode.lm.registerTool<{ word: string }>(stampTool, {
          invoke: ({ input }, token) => {
            if (input.word === 'hang') {
              hanging.resolve(token);
              return new Promise(() => undefined);
            }
            if (input.word === 'fail') throw new Error('no ink');
            const data = vscode.LanguageModelDataPart.json({ word: input.word });
            const tsx = new vscode.LanguageModelPromptTsxPart({ node: { type: 2, text: 'rendered' } });
            return new vscode.LanguageModelToolResult([textPart('stamped'), tsx, data]);
          },
        }),
      );
      const [tool] = choice().tools();
      assert.ok(tool);
      const run = async (word: string, context = contextOf()) => (await tool.plan({ word }, context)).execute();
      const { outcome, content } = await run('ok');
      assert.equal(outcome, 'succeeded');
      assert.match(content, /^stamped\nrendered\n[^]*ok/);
      const failed = await run('fail');
      assert.deepEqual([failed.outcome, failed.content.includes('no ink')], ['failed', true]);
      const stop = new AbortController();
      const running = run('hang', contextOf(stop.signal));
      const token = await hanging.promise;
      stop.abort(new RunStopped('user'));
      assert.equal((await running).outcome, 'cancelled');
      if (!token.isCancellationRequested) await new Promise((resolve) => token.onCancellationRequested(resolve));
    });
  });
});
