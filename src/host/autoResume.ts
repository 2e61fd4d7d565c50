// Asks and tells about sessions that may go on by themselves.
import { RatchetError } from '../core/errors.ts';
import type { FolderIdentity } from '../core/events.ts';
import { AutoResume } from '../runner/autoResume.ts';
import type { LiveSession } from '../runner/liveSession.ts';
import type { SessionPorts } from '../runner/sessionPorts.ts';
import { nameOf, offerResume } from './resumeOffers.ts';
import type { Runtime } from './runtime.ts';
import { setting } from './settings.ts';

export function createAutoResume(runtime: Runtime, ports: Pick<SessionPorts, 'clock' | 'assertMayRun'>): AutoResume {
  const offer = ({ id, state }: LiveSession, words: string): void => {
    const run = state.runs.at(-1)?.startedAt;
    const row = { id, title: state.title, updatedAt: state.lastAt, ...(run !== undefined && { runStartedAt: run }) };
    offerResume(runtime, [row], words);
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
