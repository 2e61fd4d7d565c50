// One durable record of a running session, against the same bytes written bare and flushed.
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { compare, timed } from './measure.ts';
import { journalLines, recordedEvents } from './recordedSession.ts';
import { ratioResult, type BenchContext, type Result } from './result.ts';
import { folderIdentity, openStore } from '../test/support/window/window.ts';
import { benchModel } from './window.ts';

export async function appendBench({ quick, scratch }: BenchContext): Promise<readonly Result[]> {
  const stored = await openStore(join(scratch, 'sessions'), scratch).create(folderIdentity(scratch));
  const claim = await stored.claim(() => undefined);
  if (!claim) throw new Error('The new session has an owner already.');
  const bare = await open(join(scratch, 'bare.jsonl'), 'a');
  try {
    const session = {
      steps: 1,
      outputLength: 2_048,
      model: benchModel,
      prompt: { system: '', tools: [] },
      ended: false,
    };
    const event = [...recordedEvents(session)].at(-1);
    if (!event) throw new Error('The session has no records.');
    const bytes = Buffer.from(journalLines([event]).join(''));
    const appended = (): Promise<number> => timed(() => claim.appendDurable([event]));
    const written = (): Promise<number> =>
      timed(async () => {
        await bare.write(bytes);
        await bare.datasync();
      });
    // The first pairs make room in the file system and warm the code.
    await compare(quick ? 1 : 30, appended, written);
    const comparison = await compare(quick ? 5 : 300, appended, written);
    return [ratioResult('One durable record of 2 KB, against write and fdatasync of the same bytes', comparison, 1.5)];
  } finally {
    await bare.close();
    await claim.close();
  }
}
