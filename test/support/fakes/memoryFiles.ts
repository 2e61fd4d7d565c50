// Workspace files in memory for reverts: contents stand for their own hashes.
import type { RevertFiles } from '../../../src/runner/ports.ts';

export interface MemoryFiles {
  readonly port: RevertFiles;
  /** Content by path. */
  readonly files: Map<string, string>;
  readonly unsaved: Set<string>;
  /** Files that can be run. */
  readonly programs: Set<string>;
  /** Contents that are not at hand. */
  readonly lost: Set<string>;
  /** Asked before each file is put; throws to let the process end there. */
  beforePut: (path: string) => void;
}

export function createMemoryFiles(): MemoryFiles {
  const memory: MemoryFiles = {
    files: new Map(),
    unsaved: new Set(),
    programs: new Set(),
    lost: new Set(),
    beforePut: () => undefined,
    port: {
      look: async (_place, touched) =>
        touched.map(({ path, before }) => ({
          sha256: memory.files.get(path) ?? null,
          ...(memory.programs.has(path) && { executable: true as const }),
          isUnsaved: memory.unsaved.has(path),
          isTooLarge: false,
          hasBefore: before.kind === 'content' && !memory.lost.has(before.sha256),
        })),
      put: async (_place, _revertId, { path, fromSha256, toSha256, toExecutable }) => {
        memory.beforePut(path);
        if (memory.unsaved.has(path)) return 'unsaved';
        const now = memory.files.get(path) ?? null;
        if (now !== toSha256 && now !== fromSha256) return 'changed';
        if (toExecutable) memory.programs.add(path);
        if (toSha256 === null) memory.programs.delete(path);
        if (toSha256 === null) memory.files.delete(path);
        else memory.files.set(path, toSha256);
        return 'done';
      },
    },
  };
  return memory;
}
