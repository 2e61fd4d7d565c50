// The model of a run as the runner takes it: who answers, with which limits and settings. Nothing is sent here.
import { isEditorModel } from '../core/editorModelId.ts';
import {
  demoConnection,
  demoModel,
  editorConnection,
  serverConnection,
  usualHost,
  wantedModel,
  type Answers,
} from '../core/connection.ts';
import { RatchetError, unreachable } from '../core/errors.ts';
import type { RequestSettings } from '../core/requestBuilder.ts';
import { hostOfAddress } from '../core/serverAddress.ts';
import type { Price } from '../core/spending.ts';
import { createAnthropicModel } from '../model/anthropic.ts';
import { createEditorModel } from '../model/editorModel.ts';
import {
  editorModelLimits,
  fittingEffort,
  limitsOf,
  takesSystemMessages,
  windowAndOutput,
} from '../model/modelLimits.ts';
import { createDemoFetch, offlineDemoEndpoint } from '../model/offlineDemo.ts';
import { priceOf } from '../model/prices.ts';
import type { ModelChoice, PreparedModel } from '../runner/sessionPorts.ts';
import type { EditorModels } from './editorModels.ts';
import { endpoint, type ConnectionSources } from './endpoint.ts';
import type { Log } from './log.ts';
import type { ModelList } from './modelList.ts';
import { setting } from './settings.ts';

/** The editor gives no sign of life between the parts of an answer, and a call comes in one part. */
const editorPatience = 5;

/** Tokens that a model takes, by what is set or known of it. */
export function windowOf(models: ModelList, editor: EditorModels, model: string): number {
  if (isEditorModel(model))
    return editorModelLimits(editor.known(model)?.maxInputTokens, setting('contextWindow')).contextWindow;
  const chosen = { contextWindow: setting('contextWindow'), maxOutputTokens: 0 };
  return windowAndOutput(model, chosen, models.find(model)).contextWindow;
}

/** What a model costs: by the setting, else as it is known. The demo costs nothing, which nobody has to be told. */
export function modelPrice(model: string): Price | undefined {
  const set = setting('prices');
  return Object.hasOwn(set, model) ? set[model] : priceOf(model);
}

/**
 * The model for a new run. Asks first where the workspace's settings choose another provider.
 * @param answers who has answered the session before
 * @throws RatchetError `no_model`
 */
export async function prepareModel(
  sources: ConnectionSources,
  models: ModelList,
  editor: EditorModels,
  choice: ModelChoice,
  answers: Answers,
  log: Log,
): Promise<PreparedModel> {
  const { workspaceModel } = sources;
  const { byFolder, ...wanted } = choice;
  const { model = '', instead = '' } = wanted;
  if (byFolder)
    return prepareModel(
      sources,
      models,
      editor,
      { ...wanted, model: workspaceModel.ofAgent(model, instead) },
      answers,
      log,
    );
  await workspaceModel.settle();
  const chosen = await endpoint(sources, choice, answers);
  switch (chosen.kind) {
    case 'none':
      throw new RatchetError('no_model', chosen.message);
    case 'demo':
      return {
        port: createAnthropicModel({ ...offlineDemoEndpoint, fetch: createDemoFetch(), log: modelLog(log) }),
        settings: { model: demoModel, thinking: 'off', maxTokens: 4_096, takesSystemMessages: false },
        connection: demoConnection,
      };
    case 'editor':
      return prepareEditorModel(editor, chosen.model, log);
    case 'anthropic':
      return {
        port: createAnthropicModel({
          apiKey: chosen.apiKey,
          baseURL: chosen.baseURL,
          idleTimeoutMs: setting('stream.idleTimeoutSeconds') * 1_000,
          log: modelLog(log),
        }),
        settings: requestSettings(models, wantedModel({ model: workspaceModel.model() }, choice), choice),
        connection: serverConnection(hostOfAddress(chosen.baseURL) || usualHost),
      };
    default:
      return unreachable(chosen);
  }
}

async function prepareEditorModel(editor: EditorModels, model: string, log: Log): Promise<PreparedModel> {
  const found = await editor.find(model);
  if (!found)
    throw new RatchetError(
      'no_model',
      `This editor has no model "${model}" now. Enable the extension that provides it, or run "Ratchet: Choose Model".`,
    );
  return {
    port: createEditorModel({
      chat: found.chat,
      idleTimeoutMs: setting('stream.idleTimeoutSeconds') * 1_000 * editorPatience,
      log: modelLog(log),
    }),
    settings: {
      model,
      thinking: 'off',
      takesSystemMessages: false,
      ...editorModelLimits(found.info.maxInputTokens, setting('contextWindow')),
    },
    connection: editorConnection(model),
  };
}

/** What a run of a real model sends besides its conversation. */
export function requestSettings(
  models: ModelList,
  model: string,
  choice: Pick<ModelChoice, 'thinking' | 'effort'> = {},
): RequestSettings {
  const listed = models.find(model);
  const limits = limitsOf(model, listed);
  const thinking = choice.thinking ?? setting('thinking');
  const effort = fittingEffort(choice.effort ?? setting('effort'), limits);
  const chosen = { contextWindow: setting('contextWindow'), maxOutputTokens: setting('maxOutputTokens') };
  return {
    model,
    thinking: limits.supportsAdaptiveThinking ? thinking : 'off',
    takesSystemMessages: takesSystemMessages(model),
    ...(effort && { effort }),
    ...windowAndOutput(model, chosen, listed),
  };
}

export function modelLog(log: Log): { error: Log; warn: Log; info: Log; debug: Log } {
  const write: Log = (message) => {
    log(`Model: ${message}`);
  };
  return { error: write, warn: write, info: write, debug: () => undefined };
}
