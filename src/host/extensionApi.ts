// The API that `activate()` returns, over the sessions of this window.
import * as vscode from 'vscode';
import type { RatchetApi, PublishedEvent, SessionInfo } from '../api.ts';
import { RatchetError } from '../core/errors.ts';
import type { ListedSession } from '../runner/sessionStore.ts';
import type { LiveSession } from '../runner/liveSession.ts';
import { openFolders } from './folders.ts';
import type { Runtime } from './runtime.ts';
import { listAll } from './sessionPick.ts';

/** @param own takes what lives as long as the extension */
export function createApi(runtime: Runtime, own: (disposable: vscode.Disposable) => void): RatchetApi {
  const { sessions } = runtime;
  const changed = new vscode.EventEmitter<SessionInfo>();
  const published = new vscode.EventEmitter<PublishedEvent>();
  const stop = sessions.onChange((change) => {
    if (change.kind === 'event') published.fire({ sessionId: change.sessionId, event: change.event });
    if (change.kind !== 'state') return;
    sessions.peek(change.sessionId).then(
      (session) => {
        if (session) changed.fire(liveInfo(session));
      },
      (error: unknown) => {
        runtime.log('A change of a session could not be published', error);
      },
    );
  });
  own(vscode.Disposable.from(changed, published, { dispose: stop }));
  return {
    listSessions: async () => (await listAll(sessions)).map(listedInfo),
    createSession: async (folderUri) => {
      const folder = openFolders().find(({ uri }) => folderUri === undefined || uri === folderUri);
      if (!folder) throw new RatchetError('no_folder', 'Open a folder first: a session belongs to one.');
      return liveInfo(await sessions.create(folder));
    },
    sendMessage: (sessionId, text) => sessions.send(sessionId, text),
    stopSession: async (sessionId) => ({ status: await sessions.stop(sessionId) }),
    resumeSession: (sessionId, options) => sessions.resume(sessionId, options),
    onDidChangeSession: (listener) => changed.event(listener),
    onDidPublishEvent: (listener) => published.event(listener),
  };
}

function listedInfo({ id, title, state, folder, createdAt, updatedAt }: ListedSession): SessionInfo {
  return { id, title, state, folder, createdAt, updatedAt };
}

function liveInfo(session: LiveSession): SessionInfo {
  const { state } = session;
  return {
    id: session.id,
    title: state.title,
    state: session.name,
    folder: session.folder,
    createdAt: state.header.createdAt,
    updatedAt: state.lastAt,
  };
}
