// Reads a file of the workspace that nobody asked for: instructions, agents. What stands in a repository is anybody's, so a
// link may lead from file to file in it, and nowhere else.
import { realpath } from 'node:fs/promises';
import { basename } from 'node:path';
import { PathMovedError } from '../platform/heldFolder.ts';
import { isSystemFile, readStart, withRegularFile } from '../platform/regularFile.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { isBelow } from '../platform/realPath.ts';

export type OwnFile =
  /** `isPart`: there is more than was asked for. */
  | { readonly kind: 'file'; readonly bytes: Buffer; readonly isPart: boolean }
  | { readonly kind: 'missing' }
  /** A folder, a pipe, a device. */
  | { readonly kind: 'no_file' }
  /** A link leads out of the folder, or to a file that nobody wrote for an agent. */
  | { readonly kind: 'outside' };

/** Names of files that links of instructions lead to: AGENTS.md, a rules file. Never `.env`, which is in the folder too. */
const forAgents = /\.(?:md|mdc|txt|\w*rules)$/i;

/** Words for what was not read, after its path. */
export const leadsOutWords =
  'is a link that leads out of the repository, or to a file that is not for agents. It was not read.';

/**
 * @param root folder that the file has to be in, links followed
 * @param path absolute
 * @param limit bytes that are read
 * @throws the error of the file system
 */
export async function readOwnFile(root: string, path: string, limit: number): Promise<OwnFile> {
  try {
    const [top, real] = await Promise.all([realpath(root), realpath(path)]);
    const isRenamed = basename(real) !== basename(path);
    if (!isBelow(top, real) || (isRenamed && !forAgents.test(real)) || (await isSystemFile(real)))
      return { kind: 'outside' };
    const read = await withRegularFile(real, async (file): Promise<OwnFile> => {
      const bytes = await readStart(file, limit + 1);
      return { kind: 'file', bytes: bytes.subarray(0, limit), isPart: bytes.length > limit };
    });
    return read ?? { kind: 'no_file' };
  } catch (error) {
    if (error instanceof PathMovedError) return { kind: 'outside' };
    if (systemErrorCode(error) === 'ENOENT') return { kind: 'missing' };
    throw error;
  }
}
