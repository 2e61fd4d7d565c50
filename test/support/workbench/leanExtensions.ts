// The editor's own extensions that a window under test needs: a load of all hundred costs a fifth more of the processor.
// Knows nothing about servers.
import { mkdir, rm, symlink } from 'node:fs/promises';
import path from 'node:path';

/** Themes, icons, and the grammars of what tests show. */
const needed = [
  'theme-defaults',
  'theme-modern-icons',
  'theme-seti',
  'css',
  'diff',
  'html',
  'javascript',
  'json',
  'log',
  'markdown-basics',
  'python',
  'typescript-basics',
];

/** Makes a folder with links to them. @param all the folder that has all of them */
export async function linkLeanExtensions(all: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const name of needed) await symlink(path.join(all, name), path.join(folder, name), 'junction');
}
