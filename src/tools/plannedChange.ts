// The plan of a write or an edit: the editor's unsaved changes are its base and are saved first; a content that the
// agent has not seen is not changed; what language services say afterwards is told to the model.
import { runsOrInstructs, type ChangedContents } from '../core/approval/runningFiles.ts';
import { newProblems, problemsText } from '../core/problems.ts';
import { lastSeen } from '../core/seenFiles.ts';
import { ToolInputError, type ToolContext, type ToolPlan, type ToolResult } from '../runner/ports.ts';
import type { ChangeInput, ChangeKind } from './changeKinds.ts';
import type { EditorFiles, ProblemWatch } from './editorFiles.ts';
import { applyChange } from './fileChange.ts';
import { hashBytes, hashFile, isPartialHash } from './fileHash.ts';
import { runsByOtherName } from './otherNames.ts';
import { realFolder } from './sdkTools.ts';
import { isText, stageChange, type CurrentContent, type StagedChange } from './stagedChange.ts';

const savesFirst = 'Your unsaved changes in this file are saved first.';
const savedNote = 'your unsaved changes were saved first';

/** Contents that the step itself has put on disk by saving: derived from what the agent saw, if formatted meanwhile. */
type Saved = ReadonlySet<string>;

/** @throws ToolInputError when the call can't be done as asked */
export async function planChange(
  kind: ChangeKind,
  input: Readonly<Record<string, unknown>>,
  context: ToolContext,
  editor: EditorFiles,
): Promise<ToolPlan> {
  return planParsed({ kind, input: kind.parse(input), context, editor }, new Set());
}

interface Change {
  readonly kind: ChangeKind;
  readonly input: ChangeInput;
  readonly context: ToolContext;
  readonly editor: EditorFiles;
}

async function planParsed(change: Change, saved: Saved): Promise<ToolPlan> {
  const { kind, input, context, editor } = change;
  const staged = await stageChange(kind, input, context, editor, (current) => refuseUnseen(change, current, saved));
  const { path, beforeSha256, afterSha256, executable, preview, unsaved } = staged;
  const texts = textsOf(staged);
  const own = runsOrInstructs(path, texts);
  const other = own
    ? undefined
    : await runsByOtherName(await realFolder(context.folder), input.file_path, staged.real, texts);
  const running = own ?? other;
  return {
    intent: {
      kind: 'file',
      path,
      beforeSha256,
      afterSha256,
      ...(unsaved && { diskSha256: unsaved.diskSha256 }),
      ...(executable && { executable }),
    },
    preview,
    ...(beforeSha256 === afterSha256 && !unsaved && { changesNothing: true as const }),
    ...(running && { why: running.why }),
    ...(other && { asked: { kind: 'edit' as const, path, name: other.name } }),
    ...(unsaved && { first: { words: savesFirst, run: () => saveAndPlan(change, staged, unsaved.diskSha256, saved) } }),
    again: () => planParsed(change, saved),
    execute: () => applyWatched(change, staged, saved.size > 0),
  };
}

/** The contents as text; undefined for one that is none, or too large to look into. */
function textsOf({ before, beforeSha256, after }: StagedChange): ChangedContents {
  const text = (bytes: Uint8Array): string | undefined =>
    isText(bytes) ? Buffer.from(bytes).toString('utf8') : undefined;
  return { before: before ? text(before) : beforeSha256 === null ? null : undefined, after: text(after) };
}

/** @throws ToolInputError when the agent does not know what it would change */
async function refuseUnseen({ kind, input, context }: Change, current: CurrentContent, saved: Saved): Promise<void> {
  const { path, real, sha256 } = current;
  if (saved.has(sha256)) return;
  const content = kind.wholeContent(input);
  // What is there already may be written again: nothing is lost.
  if (content !== undefined && hashBytes(content) === sha256) return;
  const seen = lastSeen(path, context.done());
  if (seen === sha256) return;
  if (seen === undefined) {
    // An edit names the text that it replaces: where that is found, it knows enough.
    if (kind.readsCurrent) return;
    throw new ToolInputError(`${path} exists, and you have not read it in this session. Read it first, then write it.`);
  }
  if (isPartialHash(seen) && (await hashFile(real))?.sha256 === seen) return;
  throw new ToolInputError(
    `${path} has changed since you read it; by whom is not known. Read it again, then repeat the change.`,
  );
}

/** Saves what the user has not, and plans the change again on what is on disk then. */
async function saveAndPlan(
  change: Change,
  staged: StagedChange,
  diskSha256: string | null,
  saved: Saved,
): Promise<ToolPlan> {
  const { context, editor } = change;
  const { path, real } = staged;
  const unsaved = await editor.unsaved(real);
  // Saved by the user meanwhile, or typed on: what is there now is judged anew.
  if (unsaved?.kind !== 'text' || hashBytes(unsaved.bytes) !== staged.beforeSha256) return planParsed(change, saved);
  const onDisk = (await hashFile(real, Infinity))?.sha256 ?? null;
  if (onDisk !== diskSha256) throw refusedSave(path, 'the file was changed on disk meanwhile');
  if (!(await editor.save(real, context.signal))) {
    throw refusedSave(path, 'the file is read-only, or was changed on disk since it was opened');
  }
  const now = await hashFile(real, Infinity);
  return planParsed(change, new Set([...saved, ...(now ? [now.sha256] : [])]));
}

function refusedSave(path: string, why: string): ToolInputError {
  return new ToolInputError(
    `${path} has unsaved changes in the editor, and they could not be saved: ${why}. Both are left as they are. ` +
      'The user has to save or discard them; then read the file again and repeat the change.',
  );
}

async function applyWatched({ context, editor }: Change, staged: StagedChange, wasSaved: boolean): Promise<ToolResult> {
  if ((await editor.unsaved(staged.real)) !== undefined) {
    return {
      outcome: 'failed',
      content: `${staged.path} got unsaved changes in the editor meanwhile; it is left as it is. Read it again, then repeat the change.`,
    };
  }
  const watch = await beginWatch(editor, staged.real, context);
  try {
    const result = await applyChange(staged, context);
    if (result.outcome !== 'succeeded') return result;
    const problems = result.artifacts && watch ? await freshProblems(watch, staged.path, context) : '';
    const parts = [
      result.content,
      ...(wasSaved ? ["(the user's unsaved changes in it were saved first)"] : []),
      problems,
    ];
    const note = [...(wasSaved ? [savedNote] : []), ...(result.note === undefined ? [] : [result.note])].join('; ');
    return {
      ...result,
      content: parts.filter((part) => part !== '').join('\n'),
      ...(note !== '' && { note }),
    };
  } finally {
    watch?.dispose();
  }
}

/** A look that fails costs a line in the log: the change itself does not depend on it. */
async function beginWatch(editor: EditorFiles, real: string, context: ToolContext): Promise<ProblemWatch | undefined> {
  try {
    return await editor.watchProblems(real);
  } catch (error) {
    context.log('The problems of a file could not be looked up', error);
    return undefined;
  }
}

async function freshProblems(watch: ProblemWatch, path: string, context: ToolContext): Promise<string> {
  try {
    return problemsText(path, newProblems(watch.before, await watch.settled(context.signal)));
  } catch (error) {
    context.log('The problems of a file could not be looked up', error);
    return '';
  }
}
