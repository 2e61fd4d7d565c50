// Whether two paths lead to the same file: by another spelling, another case or a link.
import { stat } from 'node:fs/promises';
import { systemErrorCode } from '../platform/systemError.ts';

export async function isSameFile(a: string, b: string): Promise<boolean> {
  if (a === b) return true;
  const [one, other] = await Promise.all([identity(a), identity(b)]);
  return one !== undefined && one === other;
}

/** Undefined for a file that is not there or cannot be looked at. */
async function identity(path: string): Promise<string | undefined> {
  try {
    const { dev, ino } = await stat(path, { bigint: true });
    return `${String(dev)}:${String(ino)}`;
  } catch (error) {
    if (systemErrorCode(error) === undefined) throw error;
    return undefined;
  }
}
