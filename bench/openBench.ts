// Opening a long session (check, fold, transcript), against reading and parsing the same bytes.
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { compare, longestBlock, spreadOf, timed } from './measure.ts';
import { storeSession } from './recordedSession.ts';
import { megabytes, msText, ratioResult, type BenchContext, type Result } from './result.ts';
import { folderIdentity, openStore } from '../test/support/window/window.ts';
import { benchModel, openWindow, windowPrompt } from './window.ts';

export async function openBench({ quick, scratch }: BenchContext): Promise<readonly Result[]> {
  const root = join(scratch, 'sessions');
  const steps = quick ? 200 : 10_000;
  const { id, journal } = await storeSession(openStore(root, scratch), folderIdentity(scratch), {
    steps,
    outputLength: 2_048,
    model: benchModel,
    prompt: windowPrompt(scratch),
    ended: true,
  });
  const opened = (): Promise<number> =>
    timed(async () => {
      const session = await openWindow({ root, folder: scratch, supervisorScript: '', model: noModel }).open(id);
      if (session.state.steps.size !== steps) throw new Error('The session was not read in full.');
      session.page(100);
    });
  const parsed = (): Promise<number> =>
    timed(async () => {
      const lines = (await readFile(journal, 'utf8')).split('\n').filter((line) => line !== '');
      const records = lines.map((line): unknown => JSON.parse(line));
      if (records.length <= steps) throw new Error('The journal was not read in full.');
    });
  await compare(quick ? 1 : 2, opened, parsed);
  const comparison = await compare(quick ? 1 : 11, opened, parsed);
  const blocks: number[] = [];
  for (let times = 0; times < (quick ? 1 : 5); times++) blocks.push(await longestBlock(opened));
  const block = spreadOf(blocks);
  const what = `Opening a session of ${steps} steps (${megabytes((await stat(journal)).size)})`;
  return [
    ratioResult(`${what}, against reading the file and JSON.parse of each line`, comparison, 2),
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

function noModel(): never {
  throw new Error('Nothing is sent here.');
}
