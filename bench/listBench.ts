// The list of many large sessions. Each has an end of its own at both sides and a hole between them, which takes no disk:
// reading it would count, and would be seen.
import { execFile } from 'node:child_process';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { journalName } from '../src/store/sessionSummary.ts';
import { timed, spreadOf } from './measure.ts';
import { runHost, type Programs } from './hostProcess.ts';
import { journalLines, recordedEvents } from './recordedSession.ts';
import { megabytes, msText, ratioText, type BenchContext, type Result } from './result.ts';
import { folderIdentity, openStore } from '../test/support/window/window.ts';
import { benchModel, windowPrompt } from './window.ts';

const headBytes = 128 * 1024;
const tailBytes = 384 * 1024;
const size = 10 * 1024 * 1024;
const run = promisify(execFile);

export async function listBench({ quick, scratch }: BenchContext, programs: Programs): Promise<readonly Result[]> {
  const place = { root: join(scratch, 'sessions'), folder: scratch };
  const count = quick ? 20 : 1_000;
  const journals = await makeSessions(place.root, scratch, count);
  for (let from = 0; from < journals.length; from += 100) await forget(journals.slice(from, from + 100));
  const cold = await runHost(programs, place, { job: 'list', times: 1 });
  const fresh: number[] = [];
  const again: number[] = [];
  const readBytes: number[] = [];
  for (let process = 0; process < (quick ? 1 : 7); process++) {
    const listed = await runHost(programs, place, { job: 'list', times: quick ? 2 : 6 });
    if (listed.count !== count) throw new Error(`Of ${count} sessions ${listed.count} were listed.`);
    fresh.push(...listed.times.slice(0, 1));
    again.push(...listed.times.slice(1));
    readBytes.push(...listed.readBytes);
  }
  const bare: number[] = [];
  for (let times = 0; times < (quick ? 1 : 5); times++) bare.push(await timed(() => readEnds(journals)));
  const baseline = spreadOf(bare);
  const what = `The list of ${count} sessions of ${megabytes(size)} each`;
  const row = (name: string, times: readonly number[], most: number | undefined, bytes: number): Result => {
    const spread = spreadOf(times);
    return {
      what: `${what}, ${name}`,
      measured: `${msText(spread)}, ${megabytes(bytes)} read`,
      baseline: `${msText(baseline)}: 4 KB of both ends of each`,
      ratio: ratioText(spreadOf(times.map((ms) => ms / baseline.median))),
      target: most === undefined ? '' : `under ${most} ms, nothing read whole`,
      met: most === undefined ? undefined : spread.median < most && bytes < (size * count) / 10,
    };
  };
  const most = Math.max(...readBytes);
  return [
    row('first of a new window', fresh, 200, most),
    row('again in the same window', again, 200, most),
    row('never listed before and not in memory', cold.times, undefined, cold.readBytes[0] ?? 0),
  ];
}

async function makeSessions(root: string, folder: string, count: number): Promise<readonly string[]> {
  const store = openStore(root, folder);
  const session = { outputLength: 2_048, model: benchModel, prompt: windowPrompt(folder), ended: true };
  const lines = journalLines(recordedEvents({ ...session, steps: 3_600 }));
  const bytes = Buffer.from(lines.join(''));
  const head = bytes.subarray(0, headBytes);
  const tail = bytes.subarray(bytes.length - tailBytes);
  const journals: string[] = [];
  for (let made = 0; made < count; made++) {
    const { storage } = await store.create(folderIdentity(folder));
    const journal = join(storage, journalName);
    const file = await open(journal, 'r+');
    const header = (await file.stat()).size;
    await file.write(head, 0, head.length, header);
    await file.write(tail, 0, tail.length, size - tail.length);
    await file.close();
    journals.push(journal);
  }
  return journals;
}

/** Has the system drop what it holds of files in memory. */
async function forget(files: readonly string[]): Promise<void> {
  for (const file of files) await run('dd', [`of=${file}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0']);
}

async function readEnds(journals: readonly string[]): Promise<void> {
  const buffer = Buffer.alloc(4_096);
  for (const journal of journals) {
    const file = await open(journal, 'r');
    await file.read(buffer, 0, buffer.length, 0);
    await file.read(buffer, 0, buffer.length, size - buffer.length);
    await file.close();
  }
}
