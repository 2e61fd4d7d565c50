// The window of the benchmarks: the one that tests have too, with the benchmarks' model.
import { join } from 'node:path';
import type { Prompt } from '../src/core/sessionState.ts';
import { createJobClient } from '../src/jobs/jobClient.ts';
import type { ModelPort } from '../src/runner/ports.ts';
import type { Sessions } from '../src/runner/sessions.ts';
import { createTools } from '../src/tools/registry.ts';
import * as window from '../test/support/window/window.ts';

export const benchModel = 'claude-opus-4-8';

export interface WindowOptions {
  /** Where the sessions are. */
  readonly root: string;
  /** The workspace folder. */
  readonly folder: string;
  readonly supervisorScript: string;
  readonly model: () => ModelPort;
}

/** What the requests of a window's sessions begin with. */
export function windowPrompt(folder: string): Prompt {
  return {
    system: window.windowSystemPrompt(window.folderIdentity(folder)),
    tools: createTools({ jobs: noJobs }).map(({ definition }) => definition),
  };
}

export function openWindow({ root, folder, supervisorScript, model }: WindowOptions): Sessions {
  return window.openWindow({
    store: window.openStore(root, folder),
    jobs: (storage) => createJobClient({ root: join(storage, 'jobs'), supervisorScript, environment: process.env }),
    model,
    modelName: benchModel,
    maxTokens: 64_000,
  });
}

function noJobs(): never {
  throw new Error('No command is run here.');
}
