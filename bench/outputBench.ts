// A command with much output: as a durable job that is followed to its end, against a plain pipe into a file.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createJobClient } from '../src/jobs/jobClient.ts';
import { compare, longestBlock, spreadOf, timed } from './measure.ts';
import type { Programs } from './hostProcess.ts';
import { megabytes, msText, ratioText, type BenchContext, type Result } from './result.ts';

export async function outputBench({ quick, scratch }: BenchContext, programs: Programs): Promise<readonly Result[]> {
  const bytes = (quick ? 1 : 50) * 1024 * 1024;
  const jobs = createJobClient({ root: join(scratch, 'jobs'), supervisorScript: programs.supervisor });
  let calls = 0;
  const job = (command: string, expected: number) => async (): Promise<void> => {
    const key = `job-${++calls}`;
    let received = 0;
    await jobs.start({ key, command, cwd: scratch });
    const listen = (chunk: Uint8Array): void => {
      received += chunk.length;
    };
    const exit = await jobs.follow(key, 0, listen, new AbortController().signal);
    if (exit.code !== 0 || received !== expected) throw new Error(`Of ${expected} bytes ${received} came.`);
  };
  const pipe = (command: string, expected: number) => async (): Promise<void> => {
    const file = join(scratch, `piped-${++calls}.log`);
    const child = spawn('/bin/sh', ['-c', command], { cwd: scratch, stdio: ['ignore', 'pipe', 'inherit'] });
    const closed = once(child, 'close');
    await pipeline(child.stdout, createWriteStream(file));
    await closed;
    if ((await stat(file)).size !== expected) throw new Error('The pipe lost something.');
  };
  const command = `yes 'epoch 1 loss 0.5000 accuracy 0.7500' | head -c ${bytes}`;
  await compare(
    1,
    () => timed(job('true', 0)),
    () => timed(pipe('true', 0)),
  );
  const pairs = quick ? 1 : 9;
  const whole = await compare(
    pairs,
    () => timed(job(command, bytes)),
    () => timed(pipe(command, bytes)),
  );
  const empty = await compare(
    pairs,
    () => timed(job('true', 0)),
    () => timed(pipe('true', 0)),
  );
  const blocks: number[] = [];
  for (let times = 0; times < (quick ? 1 : 5); times++) blocks.push(await longestBlock(job(command, bytes)));
  const block = spreadOf(blocks);
  const row = (what: string, { measured, baseline, ratio }: typeof whole): Result => ({
    what,
    measured: msText(measured),
    baseline: msText(baseline),
    ratio: ratioText(ratio),
    target: '',
    met: undefined,
  });
  const what = `A command with ${megabytes(bytes)} of output, followed to its end`;
  return [
    row(`${what} as a job, against a plain pipe into a file`, whole),
    row('A command without output as a job, against a plain child process', empty),
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
