// The benchmarks, as a program: node bench/main.ts [--quick] [--only part of a name]
// Writes docs/performance.md from what it measured; with --quick or --only it just prints.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { appendBench } from './appendBench.ts';
import { folderBench } from './folderBench.ts';
import { bundlePrograms } from './hostProcess.ts';
import { importBench } from './importBench.ts';
import { listBench } from './listBench.ts';
import { openBench } from './openBench.ts';
import { outputBench } from './outputBench.ts';
import { performancePage, type Measured } from './performancePage.ts';
import { quietMachine, busyShare } from './quietMachine.ts';
import type { Benchmark } from './result.ts';
import { resumeBench } from './resumeBench.ts';
import { stepBytesBench } from './stepBytesBench.ts';

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string', default: '' } },
});
const repository = join(import.meta.dirname, '..');
const cache = join(repository, '.cache');
/** For how long a benchmark waits for others to leave the machine alone. */
const longestWaitMs = 120_000;
const page = join(repository, 'docs', 'performance.md');

await mkdir(cache, { recursive: true });
const scratch = await mkdtemp(join(cache, 'bench-'));
try {
  await main();
} finally {
  await rm(scratch, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const programs = await bundlePrograms(scratch);
  const benchmarks: Readonly<Record<string, Benchmark>> = {
    append: appendBench,
    open: openBench,
    import: importBench,
    list: (context) => listBench(context, programs),
    folder: folderBench,
    output: (context) => outputBench(context, programs),
    resume: (context) => resumeBench(context, programs),
    stepBytes: (context) => stepBytesBench(context, programs),
  };
  const began = performance.now();
  const measured: Measured[] = [];
  for (const [name, benchmark] of Object.entries(benchmarks)) {
    if (!name.includes(values.only)) continue;
    const own = join(scratch, name);
    await mkdir(own);
    const before = values.quick ? 0 : await quietMachine(longestWaitMs);
    const results = await benchmark({ quick: values.quick, scratch: own });
    const after = values.quick ? 0 : await busyShare();
    await rm(own, { recursive: true, force: true });
    for (const { what, measured: value, baseline, ratio, target, met } of results)
      console.log([what, value, baseline, ratio, target, met].filter((part) => part !== '').join(' · '));
    console.log(`  others kept ${percent(before)} of the cores busy before, ${percent(after)} after`);
    measured.push({ results, busy: `${percent(before)}, ${percent(after)}` });
  }
  if (values.quick || values.only !== '') return;
  const seconds = (performance.now() - began) / 1000;
  const text = performancePage(measured, seconds);
  await writeFile(page, await format(text, { ...(await resolveConfig(page)), parser: 'markdown' }));
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}
