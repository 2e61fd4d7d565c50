// The commands of a session as what they are outside of a step: jobs that run, and can be ended.
import type { JobPort } from '../jobs/jobPort.ts';
import type { BackgroundCommands } from '../runner/ports.ts';

/** @param jobs the jobs of a session, below its storage folder */
export function createBackgroundCommands(jobs: (sessionStorage: string) => JobPort): BackgroundCommands {
  return {
    running: async (storage) => {
      const all = await jobs(storage).list();
      return all.flatMap(({ key, state }) => (state.status === 'running' ? [{ key, startedAt: state.startedAt }] : []));
    },
    end: async (storage, key) => {
      await jobs(storage).end(key);
    },
  };
}
