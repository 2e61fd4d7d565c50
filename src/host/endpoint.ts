// What is set up here, and with it which connection answers. The choice itself is core/connection.ts; the key is read
// here and goes nowhere but into the endpoint.
import { chooseConnection, noAnswers, type Answers, type ConnectionSetup } from '../core/connection.ts';
import { noAnswer, noAnswerMessage } from '../core/noConnection.ts';
import { hostOfAddress } from '../core/serverAddress.ts';
import { unreachable } from '../core/errors.ts';
import { editorSourceText } from '../projection/sourceText.ts';
import type { PanelSource } from '../panel/panelPorts.ts';
import type { ModelChoice } from '../runner/sessionPorts.ts';
import type { ApiKey, ApiKeyStore } from './apiKey.ts';
import type { IgnoredSettings } from './ignoredSettings.ts';
import { setting } from './settings.ts';
import type { WorkspaceModel } from './workspaceModel.ts';

export interface ConnectionSources {
  readonly keys: ApiKeyStore;
  readonly workspaceModel: WorkspaceModel;
}

/** With what is said beside the source. */
export interface ShownSources extends ConnectionSources {
  readonly ignoredSettings: IgnoredSettings;
}

export type Endpoint =
  | { readonly kind: 'anthropic'; readonly apiKey: string; readonly baseURL: string }
  | { readonly kind: 'editor'; readonly model: string }
  | { readonly kind: 'demo' }
  /** `message` says why, and what helps. */
  | { readonly kind: 'none'; readonly message: string };

/** @param answers who has answered the session before; nobody, where it is about none */
export async function endpoint(
  sources: ConnectionSources,
  choice: ModelChoice = {},
  answers: Answers = noAnswers,
): Promise<Endpoint> {
  const { setup, key } = await setUp(sources);
  const chosen = chooseConnection(setup, choice, answers);
  switch (chosen.kind) {
    case 'server':
      return { kind: 'anthropic', apiKey: key?.value ?? '', baseURL: setting('anthropic.baseUrl') };
    case 'editor':
      return { kind: 'editor', model: chosen.model };
    case 'demo':
      return { kind: 'demo' };
    case 'none':
      return { kind: 'none', message: noAnswerMessage(chosen.reason, answers) };
    default:
      return unreachable(chosen);
  }
}

/** The server of the settings; undefined where none is set up, or the demo is chosen. */
export async function serverEndpoint(
  sources: ConnectionSources,
): Promise<Extract<Endpoint, { kind: 'anthropic' }> | undefined> {
  const { setup, key } = await setUp(sources);
  if (setup.provider === 'offlineDemo' || (!setup.hasKey && setup.host === '')) return undefined;
  return { kind: 'anthropic', apiKey: key?.value ?? '', baseURL: setting('anthropic.baseUrl') };
}

/** Asked each time: keys and settings change while a window is open. */
async function setUp({
  keys,
  workspaceModel,
}: ConnectionSources): Promise<{ readonly setup: ConnectionSetup; readonly key: ApiKey | undefined }> {
  // Read in any case, so that it is known for what is redacted.
  const key = await keys.get();
  const host = hostOfAddress(setting('anthropic.baseUrl'));
  return {
    key,
    setup: { provider: setting('provider'), hasKey: key !== undefined, host, model: workspaceModel.model() },
  };
}

/**
 * Of the settings that choose a connection, to tell whether they are others: when a window has just been opened, the editor
 * takes values back that do not count in it, and its event names none.
 */
export function connectionSettingsNow(): string {
  return JSON.stringify([setting('provider'), setting('anthropic.baseUrl'), setting('model')]);
}

export async function modelSource(sources: ShownSources): Promise<PanelSource> {
  const ignored = sources.ignoredSettings.words();
  return { ...(await plainSource(sources)), ...(ignored.length > 0 && { ignored }) };
}

async function plainSource(sources: ConnectionSources): Promise<PanelSource> {
  const { setup, key } = await setUp(sources);
  const chosen = chooseConnection(setup, {}, noAnswers);
  const where = setup.host === '' ? '' : ` · ${setup.host}`;
  const server = `${keyText(key)}${where}`;
  switch (chosen.kind) {
    case 'server':
      return { setup, kind: 'anthropic', text: server };
    case 'editor':
      return { setup, kind: 'editor', text: editorSourceText, ...(chosen.hasServer && { server }) };
    case 'demo': {
      const only = chosen.isChosen && { only: true as const };
      return { setup, kind: 'demo', text: 'Offline demo: a script, not a model', ...only };
    }
    case 'none':
      return { setup, kind: 'none', text: noAnswer(chosen.reason, noAnswers).title };
    default:
      return unreachable(chosen);
  }
}

function keyText(key: ApiKey | undefined): string {
  if (!key) return 'No key';
  return key.from === 'environment' ? 'Key from ANTHROPIC_API_KEY' : 'Key from the secret storage';
}
