// What a run does while its trace, or anything else in its storage, cannot be written: it waits.
import { isStorageFailure } from '../core/errors.ts';
import type { Deadline } from './deadline.ts';
import type { LiveSession } from './liveSession.ts';
import type { SessionPorts } from './sessionPorts.ts';

const storageRetryMs = 2_000;

/**
 * Does what needs the session's storage, and waits while the disk refuses it: a full disk pauses the run instead of
 * ending it. Nothing is acknowledged meanwhile, and no time counts; what is wrong stands in the panel, and Stop ends the
 * wait.
 * @param write does all of it or nothing; it is called again until it is done
 */
export async function writePatiently<T>(
  ports: SessionPorts,
  session: LiveSession,
  { signal, deadline }: { readonly signal: AbortSignal; readonly deadline?: Pick<Deadline, 'pauseFor'> },
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
      const pause = ports.clock.delay(storageRetryMs, signal);
      await (deadline?.pauseFor(pause) ?? pause);
    }
  }
}
