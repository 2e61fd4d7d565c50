// What a run does while its trace cannot be written: it waits.
import { isStorageFailure } from '../core/errors.ts';
import type { LiveSession } from './liveSession.ts';
import type { SessionPorts } from './sessions.ts';

const storageRetryMs = 2_000;

/**
 * Writes to the trace, and waits while that cannot be done: a full disk pauses the run instead of ending it. Nothing is
 * acknowledged meanwhile; what is wrong stands in the panel, and Stop ends the wait.
 */
export async function writePatiently<T>(
  ports: SessionPorts,
  session: LiveSession,
  signal: AbortSignal,
  write: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      const result = await write();
      session.setProblem(undefined);
      return result;
    } catch (error) {
      if (!isStorageFailure(error) || signal.aborted) throw error;
      if (session.problem === undefined) ports.log(`Session ${session.id} is paused`, error);
      session.setProblem(`Paused: ${error.message} The run goes on by itself then.`);
      await ports.clock.delay(storageRetryMs, signal);
    }
  }
}
