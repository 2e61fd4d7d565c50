// Asks and tells, by notifications, about sessions that may go on by themselves.
import * as vscode from 'vscode';
import { RatchetError } from '../core/errors.ts';
import type { FolderIdentity } from '../core/events.ts';
import { visibleLabel } from '../core/visibleText.ts';
import { AutoResume } from '../runner/autoResume.ts';
import type { LiveSession } from '../runner/liveSession.ts';
import type { SessionPorts } from '../runner/sessionPorts.ts';
import { nameOf } from './attention.ts';
import { attempt, type Runtime } from './runtime.ts';
import { setting } from './settings.ts';

export function createAutoResume(runtime: Runtime, ports: Pick<SessionPorts, 'clock' | 'assertMayRun'>): AutoResume {
  const offer = (session: LiveSession, words: string): void => {
    void attempt(runtime, 'Resume Session', async () => {
      const choice = await vscode.window.showInformationMessage(visibleLabel(words), 'Resume', 'Show', 'Later');
      if (choice === 'Resume') await vscode.commands.executeCommand('ratchet.resumeSession', session.id);
      if (choice === 'Show') await vscode.commands.executeCommand('ratchet.openSession', session.id);
    });
  };
  return new AutoResume({
    sessions: runtime.sessions,
    clock: ports.clock,
    mode: () => setting('autoResume'),
    mayRun: (folder) => mayRun(ports, folder),
    ask: (session) => {
      const parked =
        session.name === 'failed' ? 'can go on: the server takes requests again.' : 'was cut and can go on.';
      offer(session, `${nameOf(session.state)} ${parked}`);
    },
    tell: (session, why) => {
      offer(session, `${nameOf(session.state)}: ${why}`);
    },
    log: runtime.log,
  });
}

function mayRun(ports: Pick<SessionPorts, 'assertMayRun'>, folder: FolderIdentity): boolean {
  try {
    ports.assertMayRun(folder);
    return true;
  } catch (error) {
    if (error instanceof RatchetError) return false;
    throw error;
  }
}
