// A command that takes as long as a test wants: it counts aloud twice a second until its gate is open, and leaves one
// line in a file at its start and at its end, so that one that ran twice is seen. It changes nothing in the workspace.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { eventually } from './eventually.ts';
import { linesOf } from './fileLines.ts';

export interface LongCommand {
  /** For the shell. Its last words are `step 1 done`. */
  readonly line: string;
  /** Lets it come to its end. */
  openGate(): Promise<void>;
  /** How far it has counted; 0 before it began. */
  count(): Promise<number>;
  /** Waits until it has counted `more` further. */
  movesOn(more: number): Promise<void>;
  /** Waits until it has left its last line. */
  ends(): Promise<void>;
  /** What it left: `began`, and `ended` once it has. */
  marks(): Promise<readonly string[]>;
  /** Ends one that still waits at the gate, and removes the gate. */
  dispose(): Promise<void>;
}

/** A command whose gate is closed. */
export async function createLongCommand(exitCode: number): Promise<LongCommand> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'ratchet-long-'));
  const [gate = '', counter = '', marked = ''] = ['open', 'counter', 'marks'].map((name) => path.join(folder, name));
  const count = async (): Promise<number> => (await linesOf(counter)).length;
  const marks = (): Promise<readonly string[]> => linesOf(marked);
  return {
    line: [
      `echo began >> ${marked}; i=0`,
      // The gate is gone with its folder when the test is over: nothing waits for ever.
      `until [ -e ${gate} ] || [ ! -e ${folder} ]; do`,
      `  i=$((i+1)); echo "progress $i"; echo $i >> ${counter}; sleep 0.5`,
      'done',
      `echo ended >> ${marked}; echo step 1 done; exit ${exitCode}`,
    ].join('\n'),
    openGate: () => writeFile(gate, ''),
    count,
    async movesOn(more) {
      const from = await count();
      await eventually(async () => (await count()) >= from + more);
    },
    ends: () => eventually(async () => (await marks()).includes('ended')),
    marks,
    dispose: () => rm(folder, { recursive: true, force: true }),
  };
}
