// The commands of a session as what they are outside of a step: jobs that run, and can be ended.
import { createLiveTail } from '../core/jobOutput.ts';
import type { JobPort } from '../jobs/jobPort.ts';
import type { BackgroundCommands } from '../runner/ports.ts';
import { exitInShort } from './commandResult.ts';
import { currentJob } from './jobKey.ts';
import { liveLines } from './liveOutput.ts';

/** Enough for the lines that are shown, unless they are very long. */
const tailBytes = 16 * 1024;

/** @param jobs the jobs of a session, below its storage folder */
export function createBackgroundCommands(jobs: (sessionStorage: string) => JobPort): BackgroundCommands {
  return {
    running: async (storage) => {
      const all = await jobs(storage).list();
      return all.flatMap(({ key, state }) => (state.status === 'running' ? [{ key, startedAt: state.startedAt }] : []));
    },
    tail: async (storage, key) => {
      const { head, tail } = await jobs(storage).readOutput(key, { headBytes: 0, tailBytes, countsOmitted: false });
      const lines = createLiveTail(liveLines);
      for (const part of [head, tail]) lines.push(part);
      return lines.lines();
    },
    howItEnded: async (storage, key) => {
      const { state } = await currentJob(jobs(storage), key);
      return state.status === 'finished' ? exitInShort(state.exit) : undefined;
    },
    end: async (storage, key) => {
      await jobs(storage).end(key);
    },
  };
}
