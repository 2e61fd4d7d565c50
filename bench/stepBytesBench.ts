// What a step writes to disk, its output not counted: as the kernel counts it for steps that read a file, and as the
// session's folder shows it for commands.
import { lstat, mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runHost, type Programs } from './hostProcess.ts';
import type { BenchContext, Result } from './result.ts';

const outputBytes = 2_048;
const most = 3 * 1024;
const filesInLarge = 1_000;
const output = 'loss 0.5000 val\n'.repeat(outputBytes / 16);

export async function stepBytesBench({ quick, scratch }: BenchContext, programs: Programs): Promise<readonly Result[]> {
  const folder = join(scratch, 'written-workspace');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'part.txt'), output);
  const few = quick ? 10 : 500;
  const many = quick ? 20 : 2_000;
  const read = async (steps: number): Promise<number> => {
    const place = { root: join(scratch, `read-${steps}`), folder };
    const job = { job: 'steps', steps, tool: 'read', input: { file_path: 'part.txt' } } as const;
    const { writtenBytes } = await runHost(programs, place, job);
    // The process writes its trace and nothing else: what the trace has is what was written, but for what was rewritten.
    return writtenBytes / steps - outputBytes;
  };
  const [ofFew, ofMany] = [await read(few), await read(many)];
  const commands = quick ? 3 : 40;
  const command = async (name: string, workspace: string): Promise<number> => {
    const place = { root: join(scratch, name), folder: workspace };
    await runHost(programs, place, {
      job: 'steps',
      steps: commands,
      tool: 'run_command',
      input: { command: 'cat part.txt' },
    });
    // The output stands in the job's own log and in the trace.
    return (await bytesBelow(place.root)) / commands - 2 * outputBytes;
  };
  const inSmall = await command('commands-small', folder);
  const large = join(scratch, 'large-workspace');
  await mkdir(large, { recursive: true });
  for (let file = 0; file < filesInLarge; file++)
    await writeFile(join(large, file === 0 ? 'part.txt' : `file-${file}.ts`), output);
  const inLarge = await command('commands-large', large);
  return [
    {
      what: `Bytes written by a step that reads 2 KB, without those 2 KB, in a session of ${many} steps`,
      measured: bytesText(ofMany),
      baseline: `${bytesText(ofFew)} in one of ${few} steps`,
      ratio: (ofMany / ofFew).toFixed(2),
      target: `at most ${most} bytes, and linear: at most 1.1 times`,
      met: ofMany <= most && ofMany <= 1.1 * ofFew,
    },
    commandRow(inSmall, 'a folder of one file'),
    commandRow(inLarge, `a folder of ${filesInLarge} files`),
  ];
}

function commandRow(bytes: number, where: string): Result {
  return {
    what: `Bytes on disk of a step that runs a command in ${where}, without its output (in the trace and in the log of the job)`,
    measured: bytesText(bytes),
    baseline: '',
    ratio: '',
    target: `at most ${most} bytes`,
    met: bytes <= most,
  };
}

function bytesText(bytes: number): string {
  return `${Math.round(bytes)} bytes`;
}

async function bytesBelow(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await lstat(join(entry.parentPath, entry.name))).size;
  return bytes;
}
