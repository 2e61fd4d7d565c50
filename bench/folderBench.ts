// What the comparison of a large folder adds to a command: the tool itself with a command that ends at once, in a folder
// of 100,000 files and in one of ten.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobPort } from '../src/jobs/jobPort.ts';
import type { ToolContext } from '../src/runner/ports.ts';
import { createRunCommandTool } from '../src/tools/runCommand.ts';
import { compare, longestBlock, spreadOf, timed } from './measure.ts';
import { msText, timeResult, type BenchContext, type Result } from './result.ts';

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
  const run = async (folder: string): Promise<number> => {
    calls += 1;
    const began = performance.now();
    const start = async (): Promise<void> => {
      waits.push(performance.now() - began);
      for (let file = 0; file < filesTouched; file++)
        await writeFile(join(folder, 'part-0', `file-${file}.ts`), `// ${calls}\n`);
    };
    const tool = createRunCommandTool({ jobs: () => instantJobs(start) });
    const { execute } = await tool.plan({ command: 'make' }, contextOf(folder, join(scratch, 'storage'), calls));
    return timed(async () => {
      const { artifacts } = await execute();
      if (artifacts?.length !== filesTouched) throw new Error('The changed files were not found.');
    });
  };
  await run(small);
  const comparison = await compare(
    quick ? 1 : 9,
    () => run(large),
    () => run(small),
  );
  waits.length = 0;
  const blocks: number[] = [];
  for (let times = 0; times < (quick ? 1 : 5); times++) blocks.push(await longestBlock(() => run(large)));
  const [block, wait] = [spreadOf(blocks), spreadOf(waits)];
  const what = `A command in a folder of ${files} files, ${filesTouched} of them changed by it`;
  return [
    timeResult(
      `${what}: time that the comparison adds before and after it, against a folder of ${filesTouched} files`,
      comparison,
      300,
    ),
    {
      what: `${what}: of that, before it starts`,
      measured: msText(wait),
      baseline: '',
      ratio: '',
      target: 'under 300 ms',
      met: wait.median < 300,
    },
    {
      what: `${what}: longest time that the event loop is not free`,
      measured: msText(block),
      baseline: '',
      ratio: '',
      target: 'at most 50 ms',
      met: block.median <= 50,
    },
  ];
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
