// Reads what a command left in a file.
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';

/** The lines of a file without the empty ones; none when it is not there. */
export async function linesOf(file: string): Promise<readonly string[]> {
  if (!existsSync(file)) return [];
  return (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '');
}
