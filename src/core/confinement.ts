// What a confined command may touch, as plain data: decided by whoever starts the command, kept in its job's record and turned
// into a sandbox by the job's supervisor. It must never know how a sandbox is made.

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

/** Entries of a folder that programs outside of the sandbox run or obey by themselves. While they are missing, none can be made. */
export const obeyedFolders: readonly string[] = ['.git', '.vscode'];

/** The same, where it takes more than their being there: protected as they are. */
export const obeyedEntries: readonly string[] = [
  ...['.idea', '.devcontainer', '.ratchet', '.claude', '.cursor', '.husky', '.envrc', '.mcp.json'],
  ...['AGENTS.md', 'CLAUDE.md', '.gitmodules', '.npmrc', '.yarnrc', '.yarnrc.yml', '.pre-commit-config.yaml'],
];

const obeyed: ReadonlySet<string> = new Set([...obeyedFolders, ...obeyedEntries].map((name) => name.toLowerCase()));

/** Whether something outside of the sandbox may run or obey this file later. `path` is relative to the folder, with `/`. */
export function isObeyedLater(path: string): boolean {
  const parts = path.toLowerCase().split('/');
  return parts.some((part) => obeyed.has(part)) || (parts.at(-1) ?? '').endsWith('.code-workspace');
}
