// What is mounted somewhere on this machine: a place that a sandbox stands on must not be taken away under it.

import { readdir, readFile, readlink } from 'node:fs/promises';
import { systemErrorCode } from '../platform/systemError.ts';

/** All paths at which a process has something mounted, in whatever namespace. Those of other users are not seen. */
export async function mountedSomewhere(): Promise<ReadonlySet<string>> {
  const looked = new Set<string>();
  const found = new Set<string>();
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    try {
      const namespace = await readlink(`/proc/${pid}/ns/mnt`);
      if (looked.has(namespace)) continue;
      looked.add(namespace);
      for (const path of mountPoints(await readFile(`/proc/${pid}/mountinfo`, 'utf8'))) found.add(path);
    } catch (error) {
      // Gone meanwhile, or another user's.
      if (systemErrorCode(error) === undefined) throw error;
    }
  }
  return found;
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
