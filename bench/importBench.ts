// Importing a large trace: how long the event loop is not free, what it takes in memory, and against reading and parsing
// the same bytes.
import { appendFile, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { createRedactor } from '../src/core/redact.ts';
import { sideFileLine } from '../src/core/traceExport.ts';
import { importTrace } from '../src/store/traceImport.ts';
import { folderIdentity } from '../test/support/window/window.ts';
import { compare, longestBlock, spreadOf, timed } from './measure.ts';
import { journalLines, recordedEvents } from './recordedSession.ts';
import { megabytes, msText, ratioResult, type BenchContext, type Result } from './result.ts';
import { benchModel, windowPrompt } from './window.ts';

/** Characters of one step's output: with 10,000 steps, 200 MB and some. */
const outputLength = 18_000;
const sideOutputs = 100;
const linesAtOnce = 1_000;

export async function importBench({ quick, scratch }: BenchContext): Promise<readonly Result[]> {
  const file = join(scratch, 'trace.jsonl');
  const steps = quick ? 200 : 10_000;
  await writeTrace(file, steps, scratch);
  const place = join(scratch, 'imported');
  let made = 0;
  const redact = createRedactor(() => ['a-known-secret-that-is-not-there']);
  const imported = (): Promise<number> =>
    timed(async () => {
      await rm(place, { recursive: true, force: true });
      await mkdir(place, { recursive: true });
      const sessionId = `s${String(++made)}`;
      await importTrace(file, { place, sessionId, folder: folderIdentity(scratch), now: 1, redact });
    });
  const parsed = (): Promise<number> =>
    timed(async () => {
      const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
      const records = lines.map((line): unknown => JSON.parse(line));
      if (records.length <= steps) throw new Error('The trace was not read in full.');
    });
  await imported();
  const blocks: number[] = [];
  const peaks: number[] = [];
  for (let times = 0; times < (quick ? 1 : 5); times++) {
    const idle = process.memoryUsage().rss;
    let peak = idle;
    const look = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 20);
    await setImmediate();
    blocks.push(await longestBlock(imported));
    clearInterval(look);
    peaks.push((peak - idle) / 1e6);
  }
  const comparison = await compare(quick ? 1 : 3, imported, parsed);
  const [block, peak] = [spreadOf(blocks), spreadOf(peaks)];
  const what = `Importing a trace of ${steps} steps (${megabytes((await stat(file)).size)})`;
  const plain = { baseline: '', ratio: '' };
  return [
    {
      what: `${what}: longest time that the event loop is not free`,
      measured: msText(block),
      ...plain,
      target: 'at most 50 ms',
      met: block.max <= 50,
    },
    {
      what: `${what}: memory that it takes`,
      measured: `${peak.median.toFixed(0)} MB (${peak.min.toFixed(0)} to ${peak.max.toFixed(0)}, ${peak.count} times)`,
      ...plain,
      target: 'at most 150 MB',
      met: peak.max <= 150,
    },
    ratioResult(`${what}, against reading the file and JSON.parse of each line`, comparison, 3),
  ];
}

async function writeTrace(file: string, steps: number, folder: string): Promise<void> {
  const session = { steps, outputLength, model: benchModel, prompt: windowPrompt(folder), ended: true };
  const header = { ratchet: 'journal', format: 1, sessionId: 's', folder: folderIdentity(folder), createdAt: 1 };
  await writeFile(file, `${JSON.stringify(header)}\n`);
  const lines = journalLines(recordedEvents(session));
  for (let at = 0; at < lines.length; at += linesAtOnce)
    await appendFile(file, lines.slice(at, at + linesAtOnce).join(''));
  const piece = 'one line of an output\n'.repeat(12_000);
  for (let job = 0; job < sideOutputs; job++)
    await appendFile(file, sideFileLine(`jobs/j${String(job)}/output.log`, piece));
}
