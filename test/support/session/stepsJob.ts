// A job of five commands that each leave one line in a file, so that a step that ran twice is seen. The third one lasts
// until the test opens its gate. The model is scripted from the request alone; see the messages server.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Script } from '../messagesServer/startMessagesServer.ts';
import { numberedSteps, scriptedSteps } from '../messagesServer/scriptedSteps.ts';

export const stepCount = 5;
export const lastWords = `All ${stepCount} steps are done.`;

export interface StepsJob {
  readonly script: Script;
  /** Lets step 3 come to its end. */
  openGate(): Promise<void>;
  /** The lines that finished steps left in the folder, in order. */
  finished(folder: string): Promise<readonly string[]>;
  /** How often the command of step 3 was started. */
  beginnings(folder: string): Promise<number>;
  /** Opens the gate for whatever still waits at it, and removes it. */
  dispose(): Promise<void>;
}

/** What {@link StepsJob.finished} gives when each of the five steps ran to its end exactly once. */
export const eachStepOnce: readonly string[] = Array.from({ length: stepCount }, (_, index) => `step ${index + 1}`);

/** A job whose gate is closed. */
export async function createStepsJob(): Promise<StepsJob> {
  const gateFolder = await mkdtemp(path.join(os.tmpdir(), 'ratchet-gate-'));
  const gate = path.join(gateFolder, 'open');
  const steps = numberedSteps(stepCount, (n, marker) => {
    const end = `echo step ${n} >> steps.txt; echo ${marker}`;
    // The gate is gone with its folder when the test is over: nothing waits for ever.
    const wait = `until [ -e ${gate} ] || [ ! -e ${gateFolder} ]; do echo waiting; sleep 0.1; done`;
    return {
      tool: 'run_command',
      input: { command: n === 3 ? `echo began >> began.txt; ${wait}; ${end}` : end },
      say: `Now step ${n}.`,
      think: `Step ${n} of ${stepCount} is next.`,
    };
  });
  return {
    script: scriptedSteps(steps, { finalText: lastWords }),
    openGate: () => writeFile(gate, ''),
    finished: (folder) => linesOf(path.join(folder, 'steps.txt')),
    beginnings: async (folder) => (await linesOf(path.join(folder, 'began.txt'))).length,
    dispose: () => rm(gateFolder, { recursive: true, force: true }),
  };
}

async function linesOf(file: string): Promise<readonly string[]> {
  if (!existsSync(file)) return [];
  return (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
}
