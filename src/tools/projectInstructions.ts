// The instructions that a project keeps for agents: AGENTS.md and CLAUDE.md of the workspace folder and of its parents
// up to the root of the repository. It must never read beyond that root: what lies there is not the project's.
import { open, stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { systemErrorCode } from '../platform/systemError.ts';

export interface ProjectInstruction {
  /** Relative to the workspace folder, with `/`. */
  readonly path: string;
  readonly text: string;
  /** Only the beginning is in `text`. */
  readonly cut: boolean;
}

const names = ['AGENTS.md', 'CLAUDE.md'];
/** Of one file. */
const mostBytes = 32 * 1024;
const mostParents = 64;

/**
 * The instructions that there are, those of the outermost folder first, so that the nearest have the last word. A text
 * that is there twice (a link, a copy) is given once. What cannot be read is given to `onUnreadable` and left out.
 */
export async function projectInstructions(
  folder: string,
  onUnreadable: (path: string, error: unknown) => void,
): Promise<readonly ProjectInstruction[]> {
  const found: ProjectInstruction[] = [];
  const texts = new Set<string>();
  for (const place of await placesOf(folder)) {
    for (const name of names) {
      const path = join(place, name);
      try {
        const read = await readStart(path);
        if (!read || read.text.trim() === '' || texts.has(read.text)) continue;
        texts.add(read.text);
        found.push({ path: relative(folder, path).split(sep).join('/'), ...read });
      } catch (error) {
        if (systemErrorCode(error) === undefined) throw error;
        onUnreadable(path, error);
      }
    }
  }
  return found;
}

/** The folder, and where it is in a repository its parents up to the root of that; outermost first. */
async function placesOf(folder: string): Promise<readonly string[]> {
  const places: string[] = [];
  for (let place = folder; places.length < mostParents; place = dirname(place)) {
    places.unshift(place);
    if (await exists(join(place, '.git'))) return places;
    if (dirname(place) === place) break;
  }
  return [folder];
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (systemErrorCode(error) !== undefined) return false;
    throw error;
  }
}

async function readStart(path: string): Promise<{ readonly text: string; readonly cut: boolean } | undefined> {
  try {
    // A pipe of that name would never end: only a file is opened.
    if (!(await stat(path)).isFile()) return undefined;
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
  const file = await open(path, 'r');
  try {
    const bytes = new Uint8Array(mostBytes + 1);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, 0);
    const cut = bytesRead > mostBytes;
    // `stream` holds back the half of a character that the cut went through.
    const text = new TextDecoder().decode(bytes.subarray(0, Math.min(bytesRead, mostBytes)), { stream: cut });
    return { text, cut };
  } finally {
    await file.close();
  }
}
