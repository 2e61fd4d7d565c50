// What a confined command may touch, as plain data: decided by whoever starts the command, kept in its job's record and turned
// into a sandbox by the job's supervisor. It must never know how a sandbox is made.

import { runsOrInstructs } from './approval/runningFiles.ts';

/** All paths are absolute paths of the machine, without links. */
export interface Confinement {
  /** Program that makes the sandbox. */
  readonly program: string;
  /** The workspace folder: may be written, but for what is protected in it. */
  readonly folder: string;
  /** Stands for the temporary folder; private to the session. Made when needed. */
  readonly temporary: string;
  /** The user's home folder, whose credentials are not there inside. */
  readonly home: string;
  /** Not there inside either: the storage of this and of other sessions, the editor's own data. */
  readonly hidden: readonly string[];
  /** May be written as well: the user's own choice. */
  readonly writable: readonly string[];
  /** May be reached, by a proxy: `example.com`, `*.example.com`. Empty: there is no network at all. */
  readonly domains: readonly string[];
}

/** How a command was started where there is a sandbox. `outside`: after it failed inside, with the user's word. */
export const sandboxSides = ['inside', 'outside'] as const;
export type SandboxSide = (typeof sandboxSides)[number];

/**
 * Entries of a folder that programs outside of the sandbox run or obey by themselves, and that are likely to be missing. While
 * they are, none can be made. `.github` stands for the workflows in it.
 */
export const obeyedNames: readonly string[] = [
  ...['.git', '.vscode', '.devcontainer', '.claude', '.ratchet', '.husky', '.github', '.github/workflows'],
  ...['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.envrc', '.mcp.json', '.npmrc', '.gitmodules', '.gitattributes'],
];

/**
 * What the list of files that run names and a confined command has to be able to write all the same: the packages that an
 * installation makes (they are run by a command that is asked about), what `npm install` and `composer require` add to, the
 * cache of Yarn, and weights of PyTorch models, which have the ending of a file that Python runs.
 */
const writtenByTools =
  /(^|\/)((node_modules|\.venv)(\/.*)?|package\.json|composer\.json|[^/]*\.pth|\.yarn(\/(?!(releases|plugins|sdks)(\/|$)).*)?)$/i;

/** Whether something outside of the sandbox may run or obey this file later. `path` is relative to the folder, with `/`. */
export function isObeyedLater(path: string): boolean {
  return !writtenByTools.test(path) && (runsOrInstructs(path) !== undefined || obeyedNames.includes(path));
}
