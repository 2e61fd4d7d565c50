// What the comparison of a large folder adds to a command: the tool of one window with commands that end at once, in a
// folder of 100,000 files and in one of ten.
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { JobPort } from '../src/jobs/jobPort.ts';
import type { ToolContext } from '../src/runner/ports.ts';
import { createRunCommandTool } from '../src/tools/runCommand.ts';
import { compare, longestBlock, spreadOf, timed } from './measure.ts';
import { megabytes, msText, timeResult, type BenchContext, type Result } from './result.ts';

const filesPerFolder = 100;
const filesTouched = 10;

export async function folderBench({ quick, scratch }: BenchContext): Promise<readonly Result[]> {
  const files = quick ? 1_000 : 100_000;
  const large = join(scratch, 'large');
  const small = join(scratch, 'small');
  await makeFolder(large, files);
  await makeFolder(small, filesTouched);
  const waits: number[] = [];
  let calls = 0;
  const window = (folder: string): (() => Promise<number>) => {
    let began = 0;
    const start = async (): Promise<void> => {
      waits.push(performance.now() - began);
      for (let file = 0; file < filesTouched; file++)
        await writeFile(join(folder, 'part-0', `file-${file}.ts`), `// ${calls}\n`);
    };
    const storage = join(scratch, `storage-${calls}-${basename(folder)}`);
    const tool = createRunCommandTool({ jobs: () => instantJobs(start) });
    // The plan is part of it: what is prepared there is not free.
    return () =>
      timed(async () => {
        calls += 1;
        began = performance.now();
        const { execute } = await tool.plan({ command: 'make' }, contextOf(folder, storage, calls));
        const { artifacts } = await execute();
        if (artifacts?.length !== filesTouched) throw new Error('The changed files were not found.');
      });
  };
  const [runLarge, runSmall] = [window(large), window(small)];
  await runSmall();
  const idle = memoryInUse();
  await runLarge();
  const memory = memoryInUse() - idle;
  const firsts: number[] = [];
  const firstBlocks: number[] = [];
  for (let times = 0; times < (quick ? 1 : 5); times++)
    firstBlocks.push(await longestBlock(async () => firsts.push(await window(large)())));
  const comparison = await compare(quick ? 1 : 9, runLarge, runSmall);
  waits.length = 0;
  const blocks: number[] = [];
  for (let times = 0; times < (quick ? 1 : 5); times++) blocks.push(await longestBlock(runLarge));
  const [block, wait, first] = [spreadOf([...blocks, ...firstBlocks]), spreadOf(waits), spreadOf(firsts)];
  const what = `A command in a folder of ${files} files, ${filesTouched} of them changed by it`;
  const row = (part: string, measured: string, target = '', met?: boolean): Result => {
    return { what: `${what}: ${part}`, measured, baseline: '', ratio: '', target, met };
  };
  return [
    timeResult(
      `${what}: time that the comparison adds before and after it, against a folder of ${filesTouched} files`,
      comparison,
      300,
    ),
    row('of that, before it starts', msText(wait), 'under 300 ms', wait.median < 300),
    row('the same for the first command of a window, allowed at once', msText(first)),
    row('longest time that the event loop is not free', msText(block), 'at most 50 ms', block.max <= 50),
    row('memory that is kept for the next command', megabytes(memory)),
  ];
}

/** Bytes that are in use after everything else was collected. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc()');
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function makeFolder(folder: string, files: number): Promise<void> {
  for (let from = 0; from < files; from += filesPerFolder) {
    const part = join(folder, `part-${from / filesPerFolder}`);
    await mkdir(part, { recursive: true });
    const names = Array.from({ length: Math.min(filesPerFolder, files - from) }, (_, file) => `file-${file}.ts`);
    await Promise.all(names.map((name) => writeFile(join(part, name), `// ${part}\n`)));
  }
}

/** Jobs whose commands end when they have started. */
function instantJobs(start: () => Promise<void>): JobPort {
  const exit = { code: 0, signal: null, reason: 'exited', startedAt: 0, endedAt: 0, outputBytes: 0 } as const;
  return {
    start,
    find: () => Promise.resolve({ status: 'absent' }),
    follow: () => Promise.resolve(exit),
    end: () => Promise.resolve(exit),
    readOutput: () => Promise.resolve({ head: new Uint8Array(), tail: new Uint8Array(), totalBytes: 0 }),
    list: () => Promise.resolve([]),
  };
}

function contextOf(folder: string, storage: string, call: number): ToolContext {
  return {
    sessionId: 'session',
    stepId: `toolu_bench${call}`,
    folder,
    storage,
    tasks: [],
    signal: new AbortController().signal,
    done: () => [],
    showOutput: () => undefined,
    log: () => undefined,
  };
}
