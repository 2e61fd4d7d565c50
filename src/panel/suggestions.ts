// The list under an `@`: the words for the editor's own things, and the paths that fit what was typed.
import { setImmediate } from 'node:timers/promises';
import type { FolderIdentity } from '../core/events.ts';
import { createPathSearch, type IndexedPath } from '../core/fuzzyPaths.ts';
import { mentionKeywords, normalPath, type MentionKeyword } from '../core/mentions.ts';
import { countOf } from '../core/words.ts';
import type { Suggestion } from '../protocol/composer.ts';
import { linesText } from './mentionedContent.ts';
import type { MentionSources } from './mentionSources.ts';

const pathLimit = 50;
/** Paths that are looked at in one turn of the event loop: some ten milliseconds' worth. */
const pathsInTurn = 10_000;

/** The suggestions for what was typed after the `@`, best first. @throws the system's error of the folder */
export async function suggestionsFor(
  sources: MentionSources,
  folder: FolderIdentity,
  query: string,
): Promise<readonly Suggestion[]> {
  const typed = query.toLowerCase();
  const words = mentionKeywords.filter((keyword) => keyword.startsWith(typed));
  const first = new Set(sources.openPaths(folder));
  const paths = await found(normalPath(query), await sources.paths(folder), first);
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

async function found(
  query: string,
  paths: readonly IndexedPath[],
  first: ReadonlySet<string>,
): Promise<readonly IndexedPath[]> {
  const search = createPathSearch(query, pathLimit, first);
  for (let from = 0; from < paths.length; from += pathsInTurn) {
    if (from > 0) await setImmediate();
    search.add(paths.slice(from, from + pathsInTurn));
  }
  return search.best();
}
