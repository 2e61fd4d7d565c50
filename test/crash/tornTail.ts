// What a power loss or a full disk may leave of a journal's end: records that nobody was told of are gone in part, the last
// one in the middle of a line. What was acknowledged is never touched.
import { appendFile, glob, readFile, truncate } from 'node:fs/promises';
import { join } from 'node:path';

const record = Buffer.from('{"seq":1,"at":1,"type":"note_added","level":"info","text":"halb geschrieben: ä"}', 'utf8');
const halfRecord = record.subarray(0, record.indexOf(0xc3) + 1);

/**
 * Tears the journals below a folder of sessions: cuts somewhere in the records that were not acknowledged; where there are
 * none, leaves half a record, cut inside a character. A journal whose run has ended is not written any more: it is left alone.
 * @param where from 0, right behind what was acknowledged, to 1, at the end; each record is as wide as any other
 */
export async function tearJournal(root: string, acknowledged: ReadonlySet<string>, where: number): Promise<void> {
  for await (const file of glob(join(root, '*', '*', 'journal.jsonl'))) {
    const lines = (await readFile(file, 'utf8')).split('\n').slice(0, -1);
    if (lines.at(-1)?.includes('"type":"run_ended"') === true) continue;
    // The header counts as acknowledged: a journal is made whole.
    const firstLoose = lines.findLastIndex((line, index) => index === 0 || acknowledged.has(line)) + 1;
    const loose = (lines.length - firstLoose) * where;
    const whole = firstLoose + Math.floor(loose);
    const size = bytesOf(lines.slice(0, whole)) + Math.floor(bytesOf(lines.slice(whole, whole + 1)) * (loose % 1));
    if (firstLoose < lines.length) await truncate(file, size);
    else await appendFile(file, halfRecord);
  }
}

function bytesOf(lines: readonly string[]): number {
  return Buffer.byteLength(lines.map((line) => `${line}\n`).join(''));
}
