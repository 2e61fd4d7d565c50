// The list under an `@`: the words for the editor's own things, and the paths that fit what was typed.
import type { FolderIdentity } from '../core/events.ts';
import { findPaths } from '../core/fuzzyPaths.ts';
import { mentionKeywords, normalPath, type MentionKeyword } from '../core/mentions.ts';
import { countOf } from '../core/words.ts';
import type { Suggestion } from '../protocol/composer.ts';
import { linesText } from './mentionedContent.ts';
import type { MentionSources } from './mentionSources.ts';

const pathLimit = 50;

/** The suggestions for what was typed after the `@`, best first. @throws the system's error of the folder */
export async function suggestionsFor(
  sources: MentionSources,
  folder: FolderIdentity,
  query: string,
): Promise<readonly Suggestion[]> {
  const typed = query.toLowerCase();
  const words = mentionKeywords.filter((keyword) => keyword.startsWith(typed));
  const first = new Set(sources.openPaths(folder));
  const paths = findPaths(normalPath(query), await sources.paths(folder), pathLimit, first);
  return [
    ...words.map((keyword) => keywordSuggestion(sources, folder, keyword)),
    ...paths.map(({ path, isFolder }): Suggestion => ({
      kind: isFolder ? 'folder' : 'file',
      name: isFolder ? `${path}/` : path,
    })),
  ];
}

function keywordSuggestion(sources: MentionSources, folder: FolderIdentity, name: MentionKeyword): Suggestion {
  switch (name) {
    case 'selection': {
      const selection = sources.selection(folder);
      if (!selection) return { kind: name, name, unavailable: 'nothing is selected' };
      const fileName = selection.path.slice(selection.path.lastIndexOf('/') + 1);
      return { kind: name, name, detail: `${fileName}:${linesText(selection.firstLine, selection.lastLine)}` };
    }
    case 'problems': {
      const { length } = sources.problems(folder);
      return length === 0
        ? { kind: name, name, unavailable: 'none' }
        : { kind: name, name, detail: countOf(length, 'problem') };
    }
    case 'terminal': {
      const terminal = sources.terminal();
      if (!terminal) return { kind: name, name, unavailable: 'none is open' };
      const last = terminal.runs.at(-1);
      return last
        ? { kind: name, name, detail: last.command }
        : { kind: name, name, unavailable: 'no output is known' };
    }
  }
}
