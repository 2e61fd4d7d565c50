// What is mounted somewhere on this machine: a place that a sandbox stands on must not be taken away under it.

import { readdir, readFile, readlink } from 'node:fs/promises';
import { systemErrorCode } from '../platform/systemError.ts';

/** Whether a process has something mounted at this path, in whatever namespace. Those of other users are not seen. */
export async function isMountedSomewhere(path: string): Promise<boolean> {
  const looked = new Set<string>();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    try {
      const namespace = await readlink(`/proc/${pid}/ns/mnt`);
      if (looked.has(namespace)) continue;
      looked.add(namespace);
      if (mountPoints(await readFile(`/proc/${pid}/mountinfo`, 'utf8')).has(path)) return true;
    } catch (error) {
      // Gone meanwhile, or another user's.
      if (systemErrorCode(error) === undefined) throw error;
    }
  }
  return false;
}

/** The mount points of a `mountinfo`; blanks and the like are written there as octal numbers. */
export function mountPoints(text: string): ReadonlySet<string> {
  const points = text.split('\n').map((line) => line.split(' ')[4] ?? '');
  return new Set(
    points.map((point) => {
      const bytes = point.replace(/\\([0-7]{3})/g, (_all, digits: string) => String.fromCharCode(parseInt(digits, 8)));
      return Buffer.from(bytes, 'latin1').toString('utf8');
    }),
  );
}
