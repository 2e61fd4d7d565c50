// Looks up what the mentions of a message stand for, at the moment it is sent, and words what is not there. What was
// found is recorded: a resume sends it again as it was.
import { buildAttachments, type Attachment, type FoundContent } from '../core/attachments.ts';
import { unreachable } from '../core/errors.ts';
import type { FolderIdentity } from '../core/events.ts';
import { isMentionKeyword, mentionsIn, normalPath, type MentionKeyword } from '../core/mentions.ts';
import { countOf, sizeText } from '../core/words.ts';
import type { EditorProblem, MentionedPath, MentionSources, TerminalRun } from './mentionSources.ts';

const problemLimit = 100;
const severities: readonly EditorProblem['severity'][] = ['error', 'warning', 'info', 'hint'];

/**
 * What goes along with the text. An `@` word that is no file of the folder is ordinary text, unless it was chosen from
 * the list of suggestions: then it was there a moment ago, and is said to be missing.
 */
export async function mentionedContent(
  sources: MentionSources,
  folder: FolderIdentity,
  text: string,
  picked: readonly string[] = [],
): Promise<readonly Attachment[]> {
  const found = await Promise.all(
    mentionsIn(text).map(async ({ name }): Promise<readonly FoundContent[]> => {
      if (isMentionKeyword(name)) return [keywordContent(sources, folder, name)];
      const path = normalPath(name);
      if (path === '') return [];
      const look = await sources.look(folder, path);
      if ((look.kind === 'missing' || look.kind === 'outside') && !picked.includes(name)) return [];
      return [await pathContent(sources, folder, path, look)];
    }),
  );
  return buildAttachments(distinct(found.flat()));
}

/** `@a.ts` and `@./a.ts` are one. */
function distinct(found: readonly FoundContent[]): readonly FoundContent[] {
  const seen = new Set<string>();
  return found.filter(({ kind, label }) => {
    const key = `${kind} ${label}`;
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
}

async function pathContent(
  sources: MentionSources,
  folder: FolderIdentity,
  written: string,
  look: MentionedPath,
): Promise<FoundContent> {
  switch (look.kind) {
    case 'file':
      return {
        kind: 'file',
        label: look.path,
        path: look.path,
        content: look.content,
        isPart: look.isPart,
        ...(look.isUnsaved && { note: 'with changes that are not saved' }),
        ...(look.content === '' && { problem: 'The file is empty.' }),
      };
    case 'folder':
      return folderContent(await sources.paths(folder), look.path);
    case 'binary':
      return empty('file', look.path, `It is not text (${sizeText(look.bytes)}), so only its name is attached.`);
    case 'missing':
      return empty('file', written, 'It was not there when the message was sent.');
    case 'outside':
      return empty('file', written, 'It leads out of the folder, so it is not attached.');
    case 'unreadable':
      return empty('file', look.path, `It could not be read: ${look.reason}`);
    default:
      return unreachable(look);
  }
}

function folderContent(paths: Awaited<ReturnType<MentionSources['paths']>>, folder: string): FoundContent {
  const start = folder === '.' ? '' : `${folder}/`;
  const files = paths.filter(({ path, isFolder }) => !isFolder && path.startsWith(start)).map(({ path }) => path);
  return {
    kind: 'folder',
    label: `${folder}/`,
    path: folder,
    content: files.join('\n'),
    note: countOf(files.length, 'file'),
    ...(files.length === 0 && { problem: 'It holds no files, but for those that git ignores.' }),
  };
}

function empty(kind: FoundContent['kind'], label: string, problem: string): FoundContent {
  return { kind, label, content: '', problem, ...(kind === 'file' && { path: label }) };
}

function keywordContent(sources: MentionSources, folder: FolderIdentity, keyword: MentionKeyword): FoundContent {
  switch (keyword) {
    case 'selection': {
      const selection = sources.selection(folder);
      if (!selection) return empty('selection', 'selection', 'Nothing was selected in the editor.');
      const { path, firstLine, lastLine, text, isUnsaved } = selection;
      return {
        kind: 'selection',
        label: `${path}:${linesText(firstLine, lastLine)}`,
        path,
        firstLine,
        lastLine,
        content: text,
        ...(isUnsaved && { note: 'with changes that are not saved' }),
      };
    }
    case 'problems': {
      const problems = sources.problems(folder);
      if (problems.length === 0) return empty('problems', 'problems', 'The editor reports no problems in the folder.');
      return problemsContent(problems);
    }
    case 'terminal': {
      const terminal = sources.terminal();
      if (!terminal) return empty('terminal', 'terminal', 'No terminal is open.');
      if (terminal.runs.length === 0) return empty('terminal', 'terminal', nothingRan(terminal.name));
      return {
        kind: 'terminal',
        label: `terminal ${terminal.name}`,
        content: terminal.runs.map(runText).join('\n\n'),
        note: `last output of ${terminal.name}`,
        keeps: 'end',
      };
    }
    default:
      return unreachable(keyword);
  }
}

/** The editor gives no output of before, and none of a shell that does not say where a command begins. */
export function nothingRan(terminal: string): string {
  return `No output of "${terminal}" is known: only commands run since Ratchet started, with shell integration, are.`;
}

export function linesText(first: number, last: number): string {
  return first === last ? String(first) : `${String(first)}-${String(last)}`;
}

function problemsContent(problems: readonly EditorProblem[]): FoundContent {
  const sorted = severities.flatMap((severity) => problems.filter((problem) => problem.severity === severity));
  const isCut = sorted.length > problemLimit;
  return {
    kind: 'problems',
    label: countOf(problems.length, 'problem'),
    content: sorted.slice(0, problemLimit).map(problemLine).join('\n'),
    ...(isCut && {
      problem: `Only the first ${String(problemLimit)} of ${countOf(sorted.length, 'problem')} are attached.`,
    }),
  };
}

function problemLine({ path, line, column, severity, message, source }: EditorProblem): string {
  const where = `${path}:${String(line)}:${String(column)}`;
  return `${where} ${severity}: ${message.replace(/\s*\n\s*/g, ' ')}${source === undefined ? '' : ` [${source}]`}`;
}

function runText({ command, output, exitCode }: TerminalRun): string {
  const end = exitCode === undefined || exitCode === 0 ? [] : [`(exit code ${String(exitCode)})`];
  // It may have printed something: of a command that is over at once the editor can miss all of it.
  return [`$ ${command}`, output.trim() === '' ? '(no output was seen)' : output.trimEnd(), ...end].join('\n');
}
