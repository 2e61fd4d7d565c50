// A folder and an editor for mentions, in memory.
import { indexPaths } from '../../../src/core/fuzzyPaths.ts';
import type { MentionedPath, MentionSources } from '../../../src/panel/mentionSources.ts';

/** An editor in which nothing is open, in an empty folder. */
export const noMentions: MentionSources = mentionSources({});

/** @param files what the folder holds, by path; a folder is what files are in */
export function mentionSources(
  files: Readonly<Record<string, string | MentionedPath>>,
  more: Partial<MentionSources> = {},
): MentionSources {
  const paths = Object.keys(files);
  return {
    paths: async () => indexPaths(paths),
    openPaths: () => [],
    look: async (_folder, path) => {
      const found = files[path];
      if (typeof found === 'string') return { kind: 'file', path, content: found, isPart: false };
      if (found) return found;
      return paths.some((each) => each.startsWith(`${path}/`)) ? { kind: 'folder', path } : { kind: 'missing' };
    },
    selection: () => undefined,
    problems: () => [],
    terminal: () => undefined,
    pathOf: (folder, uri) => (uri.startsWith(`${folder.uri}/`) ? uri.slice(folder.uri.length + 1) : undefined),
    ...more,
  };
}
