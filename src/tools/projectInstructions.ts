// The instructions that a project keeps for agents: AGENTS.md and CLAUDE.md of the workspace folder and of its parents
// up to the root of the repository. It must never read beyond that root: what lies there is not the project's.
import { stat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { systemErrorCode, systemErrorWords } from '../platform/systemError.ts';
import { leadsOutWords, readOwnFile } from './ownFile.ts';

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
 * that is there twice (a link, a copy) is given once. What is not read is left out, and said to `onProblem` in a sentence.
 */
export async function projectInstructions(
  folder: string,
  onProblem: (sentence: string) => void,
): Promise<readonly ProjectInstruction[]> {
  const found: ProjectInstruction[] = [];
  const texts = new Set<string>();
  const places = await placesOf(folder);
  const root = places[0] ?? folder;
  for (const place of places) {
    for (const name of names) {
      const path = relative(folder, join(place, name)).split(sep).join('/');
      try {
        const read = await readText(root, join(place, name));
        if (read === 'outside') onProblem(`${path} ${leadsOutWords}`);
        if (!read || read === 'outside' || read.text.trim() === '' || texts.has(read.text)) continue;
        texts.add(read.text);
        found.push({ path, ...read });
      } catch (error) {
        if (systemErrorCode(error) === undefined) throw error;
        onProblem(`${path} was not read: ${systemErrorWords(error)}.`);
      }
    }
  }
  return found;
}

/** The root of the repository that the folder is in; the folder itself where it is in none. */
export async function repositoryRoot(folder: string): Promise<string> {
  return (await placesOf(folder))[0] ?? folder;
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

async function readText(
  root: string,
  path: string,
): Promise<{ readonly text: string; readonly cut: boolean } | 'outside' | undefined> {
  const read = await readOwnFile(root, path, mostBytes);
  if (read.kind === 'outside') return 'outside';
  if (read.kind !== 'file') return undefined;
  // `stream` holds back the half of a character that the cut went through.
  const text = new TextDecoder().decode(read.bytes, { stream: read.isPart });
  return { text, cut: read.isPart };
}
