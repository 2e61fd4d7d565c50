// Which model answers: by the settings and the key that is there. Nothing is asked for and nothing is sent here.
import { isEditorModel } from '../core/editorModelId.ts';
import { RatchetError } from '../core/errors.ts';
import type { RequestSettings } from '../core/requestBuilder.ts';
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
import { editorSourceText } from '../projection/sourceText.ts';
import type { ModelSource } from '../protocol/view.ts';
import type { ModelChoice, PreparedModel } from '../runner/sessionPorts.ts';
import type { ApiKeyStore } from './apiKey.ts';
import type { EditorModels } from './editorModels.ts';
import type { Log } from './log.ts';
import type { ModelList } from './modelList.ts';
import { setting } from './settings.ts';

export const demoModel = 'offline-demo';
/** The editor gives no sign of life between the parts of an answer, and a call comes in one part. */
const editorPatience = 5;

export type Endpoint =
  | ServerEndpoint
  /** `server`: what else answers, for sessions with another model. */
  | { readonly kind: 'editor'; readonly model: string; readonly text: string; readonly server?: string };

export type ServerEndpoint =
  | { readonly kind: 'anthropic'; readonly apiKey: string; readonly baseURL: string; readonly text: string }
  | { readonly kind: 'demo'; readonly text: string; readonly only?: true }
  | { readonly kind: 'none'; readonly text: string };

/**
 * What answers for a model: the editor for its own, else the server. Where no server is set up, a model of the editor
 * answers for the others too: the one to take instead, or the one that the settings name.
 * @param choice the model of a session; that of the settings when it has none
 */
export async function endpoint(keys: ApiKeyStore, choice: ModelChoice = {}): Promise<Endpoint> {
  const server = await serverEndpoint(keys);
  if (server.kind === 'demo' && server.only) return server;
  const isThere = server.kind === 'anthropic';
  const wanted = wantedModel(choice);
  const inOrder = isThere ? [wanted] : [wanted, choice.instead ?? '', setting('model')];
  const model = inOrder.find(isEditorModel);
  if (model === undefined) return server;
  return { kind: 'editor', model, text: editorSourceText, ...(isThere && { server: server.text }) };
}

/** A session that began with the demo has no model of its own to go on with. */
function wantedModel({ model }: ModelChoice): string {
  return model === undefined || model === demoModel ? setting('model') : model;
}

/** The server of the settings, or what stands in for it. */
export async function serverEndpoint(keys: ApiKeyStore): Promise<ServerEndpoint> {
  const provider = setting('provider');
  const demo: ServerEndpoint = {
    kind: 'demo',
    text: 'Offline demo: a script, not a model',
  };
  if (provider === 'offlineDemo') return { ...demo, only: true };
  const key = await keys.get();
  const baseURL = setting('anthropic.baseUrl');
  const where = baseURL === '' ? '' : ` · ${hostOf(baseURL)}`;
  if (key) {
    const text = key.from === 'environment' ? 'Key from ANTHROPIC_API_KEY' : 'Key from the secret storage';
    return { kind: 'anthropic', apiKey: key.value, baseURL, text: `${text}${where}` };
  }
  // A server of one's own may want no key.
  if (baseURL !== '') return { kind: 'anthropic', apiKey: '', baseURL, text: `No key${where}` };
  return provider === 'auto' ? demo : { kind: 'none', text: 'No API key. Set one to begin.' };
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

export async function modelSource(keys: ApiKeyStore): Promise<ModelSource> {
  const chosen = await endpoint(keys);
  const server = chosen.kind === 'editor' ? chosen.server : undefined;
  const only = chosen.kind === 'demo' && chosen.only;
  return { kind: chosen.kind, text: chosen.text, ...(server !== undefined && { server }), ...(only && { only }) };
}

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

/** The model for a new run. @throws RatchetError `no_model` */
export async function prepareModel(
  keys: ApiKeyStore,
  models: ModelList,
  editor: EditorModels,
  choice: ModelChoice,
  log: Log,
): Promise<PreparedModel> {
  const chosen = await endpoint(keys, choice);
  switch (chosen.kind) {
    case 'none':
      throw new RatchetError(
        'no_model',
        'There is no API key yet. Run "Ratchet: Set API Key", or set "ratchet.provider" to the offline demo.',
      );
    case 'demo':
      return {
        port: createAnthropicModel({ ...offlineDemoEndpoint, fetch: createDemoFetch(), log: modelLog(log) }),
        settings: { model: demoModel, thinking: 'off', maxTokens: 4_096, takesSystemMessages: false },
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
        settings: requestSettings(models, choice),
      };
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
  };
}

/** What a run of a real model sends besides its conversation. */
export function requestSettings(models: ModelList, choice: ModelChoice): RequestSettings {
  const model = wantedModel(choice);
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
