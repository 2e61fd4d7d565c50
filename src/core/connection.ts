// Which connection answers a session: one decision, from what is set up and from who has answered the session before.
// The demo's script goes on only with what it began. Pure; must never see a key, and knows addresses by their host only.
import { z } from 'zod';
import { editorVendor, isEditorModel } from './editorModelId.ts';
import type { EventOf, SessionEvent } from './events.ts';

/** What runs of the offline demo are recorded with as their model. */
export const demoModel = 'offline-demo';

/** `host`: of a server as in its address, of the editor's models the vendor. Later versions may have other providers. */
export const connectionSchema = z.object({ provider: z.string().min(1), host: z.string().optional() });
export type Connection = Readonly<z.infer<typeof connectionSchema>>;

export const demoConnection: Connection = { provider: 'demo' };

/** Of the Anthropic API itself. */
export const usualHost = 'api.anthropic.com';

export function serverConnection(host: string): Connection {
  return { provider: 'anthropic', host };
}

export function editorConnection(model: string): Connection {
  const host = editorVendor(model);
  return { provider: 'editor', ...(host !== undefined && { host }) };
}

/** Who answered by a record; traces of versions before say it by the model alone, and of a server nothing but that. */
export function connectionOf(record: {
  readonly model: string;
  readonly connection?: Connection | undefined;
}): Connection | undefined {
  if (record.connection) return record.connection;
  if (record.model === '') return undefined;
  if (record.model === demoModel) return demoConnection;
  return isEditorModel(record.model) ? editorConnection(record.model) : { provider: 'anthropic' };
}

/** Whether both are one as far as is known: an old record of a server does not say which. */
export function isSameConnection(one: Connection, other: Connection): boolean {
  return one.provider === other.provider && (one.host === other.host || !one.host || !other.host);
}

/** Who has answered a session so far. No revert takes it back. */
export interface Answers {
  /** `elsewhere`: it came in a file, and nobody here has answered it yet. */
  readonly by: 'nobody' | 'demo' | 'model' | 'elsewhere';
  /** Of the last run. */
  readonly last?: Connection;
}

export const noAnswers: Answers = { by: 'nobody' };

export function foldAnswers(before: Answers, event: SessionEvent): Answers {
  switch (event.type) {
    case 'run_started':
      return after(before, connectionOf(event));
    case 'compaction_started':
      return event.connection ? after(before, event.connection) : before;
    case 'agent_started':
    case 'agent_resumed':
      return { ...before, by: after(before, connectionOf(event)).by };
    case 'assistant_message_completed':
      // The record of its run may be what was lost of a damaged trace.
      return event.model === demoModel || before.by === 'model' ? before : { ...before, by: 'model' };
    case 'session_imported':
      return { ...before, by: 'elsewhere' };
    case 'session_forked':
      return event.answeredBy ? { ...before, by: event.answeredBy } : before;
    default:
      return before;
  }
}

function after(before: Answers, connection: Connection | undefined): Answers {
  if (!connection) return before;
  const isDemo = connection.provider === demoConnection.provider;
  return { by: isDemo ? (before.by === 'nobody' ? 'demo' : before.by) : 'model', last: connection };
}

/** What a fork has to be told of the session it comes from: what goes along may not show it. */
export function answersOfFork({ by }: Answers): EventOf<'session_forked'>['answeredBy'] {
  return by === 'model' || by === 'elsewhere' ? by : undefined;
}

/** Whether this connection may answer; false for the demo where somebody else has answered before. */
export function mayAnswer(connection: Connection, { by }: Answers): boolean {
  return connection.provider !== demoConnection.provider || by === 'nobody' || by === 'demo';
}

/** What is set up, without any credential. */
export interface ConnectionSetup {
  readonly provider: 'auto' | 'anthropic' | 'offlineDemo';
  readonly hasKey: boolean;
  /** Of the address that is set; empty where none is. */
  readonly host: string;
  /** The model of the settings. */
  readonly model: string;
}

/** Which model is wanted; the settings' own where nothing is said. */
export interface WantedModel {
  readonly model?: string;
  /** Where nothing could answer for that one. */
  readonly instead?: string;
}

/** `no_key`: nothing is set up. `demo_stays_out`: only the demo is. `demo_chosen`: the demo is, by the setting. */
export type NoConnection = 'no_key' | 'demo_stays_out' | 'demo_chosen';

export type ChosenConnection =
  | { readonly kind: 'server'; readonly connection: Connection }
  /** `hasServer`: a server answers for other models. */
  | { readonly kind: 'editor'; readonly connection: Connection; readonly model: string; readonly hasServer: boolean }
  /** `isChosen`: by the setting, so that it answers whatever model is wanted. */
  | { readonly kind: 'demo'; readonly connection: Connection; readonly isChosen: boolean }
  | { readonly kind: 'none'; readonly reason: NoConnection };

/**
 * The editor answers for its own models, else the server. Where no server is set up, a model of the editor answers for the
 * others too: the one to take instead, or the one that the settings name. Where nothing is set up, the demo answers what
 * nobody but the demo has answered before.
 */
export function chooseConnection(setup: ConnectionSetup, wanted: WantedModel, answers: Answers): ChosenConnection {
  const demo = (isChosen: boolean): ChosenConnection =>
    mayAnswer(demoConnection, answers)
      ? { kind: 'demo', connection: demoConnection, isChosen }
      : { kind: 'none', reason: isChosen ? 'demo_chosen' : 'demo_stays_out' };
  if (setup.provider === 'offlineDemo') return demo(true);
  // A server of one's own may want no key.
  const hasServer = setup.hasKey || setup.host !== '';
  const first = wantedModel(setup, wanted);
  const model = (hasServer ? [first] : [first, wanted.instead ?? '', setup.model]).find(isEditorModel);
  if (model !== undefined) return { kind: 'editor', connection: editorConnection(model), model, hasServer };
  if (hasServer) return { kind: 'server', connection: serverConnection(setup.host === '' ? usualHost : setup.host) };
  return setup.provider === 'auto' ? demo(false) : { kind: 'none', reason: 'no_key' };
}

/** A session that began with the demo has no model of its own to go on with. */
export function wantedModel(setup: Pick<ConnectionSetup, 'model'>, { model }: WantedModel): string {
  return model === undefined || model === demoModel ? setup.model : model;
}
