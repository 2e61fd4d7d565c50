// The two contents of a diff, found in what the session keeps: before and after a step, or several; or before and after
// a change that waits to be allowed. Where one cannot be had there are words for the user, not an error.
import type { FileSpan, FileVersion } from '../core/fileVersions.ts';
import type { Step } from '../core/sessionState.ts';
import { sizeText } from '../core/words.ts';
import { ToolInputError } from '../runner/ports.ts';
import { changeKindOf } from './changeKinds.ts';
import type { EditorFiles } from './editorFiles.ts';
import { hashBytes, isPartialHash } from './fileHash.ts';
import { keepContent, readKept } from './keptContent.ts';
import { confine } from './sdkTools.ts';
import { isText, runOnCopy, stageChange, textLimit, type StagingContext } from './stagedChange.ts';
import { readFileUpTo } from './workspaceFile.ts';

/** Kept contents by hash; null where there is no file. */
export type DiffContents =
  | { readonly kind: 'diff'; readonly path: string; readonly before: string | null; readonly after: string | null }
  | { readonly kind: 'words'; readonly path: string; readonly words: string };

/** What is needed of a session. */
export interface DiffPlace {
  readonly folder: string;
  readonly storage: string;
  /** Oldest first. */
  readonly steps: readonly Step[];
}

/** The contents before and after what steps did to a file. Both are kept when this resolves. */
export async function diffContents(span: FileSpan, place: DiffPlace): Promise<DiffContents> {
  const { path } = span;
  const sides: (string | null)[] = [];
  for (const [side, version] of [
    ['before', span.before],
    ['after', span.after],
  ] as const) {
    const found = await contentOf(path, version, place);
    if (found === undefined) return { kind: 'words', path, words: missingWords(path, side) };
    const unfit = found.bytes && unfitWords(path, found.bytes);
    if (unfit !== undefined) return { kind: 'words', path, words: unfit };
    sides.push(found.sha256);
  }
  const [before = null, after = null] = sides;
  return { kind: 'diff', path, before, after };
}

function missingWords(path: string, side: 'before' | 'after'): string {
  return `What was in ${path} ${side} this was not kept: a command changed it, it was too large, or it was cleared away.`;
}

function unfitWords(path: string, bytes: Uint8Array): string | undefined {
  if (bytes.length > textLimit) return `${path} has ${sizeText(bytes.length)}: too large to be compared.`;
  return isText(bytes) ? undefined : `${path} is not text, so it cannot be compared line by line.`;
}

type Found =
  { readonly sha256: string; readonly bytes: Uint8Array } | { readonly sha256: null; readonly bytes?: undefined };

async function contentOf(path: string, version: FileVersion, place: DiffPlace): Promise<Found | undefined> {
  if (version.kind === 'none') return { sha256: null };
  if (version.kind === 'unknown' || isPartialHash(version.sha256)) return undefined;
  const { sha256 } = version;
  const kept = await readKept(place.storage, sha256);
  const bytes = kept ?? (await nowIn(path, sha256, place)) ?? (await rebuilt(sha256, place));
  if (!bytes) return undefined;
  // So that the diff stays what it is when the window is loaded again and the file goes on changing.
  await keepContent(place.storage, sha256, bytes);
  return { sha256, bytes };
}

/** A content that is kept, or can be worked out again; undefined when there is none. */
export async function keptContentOf(
  sha256: string,
  place: Pick<DiffPlace, 'storage' | 'steps'>,
): Promise<Uint8Array | undefined> {
  return (await readKept(place.storage, sha256)) ?? (await rebuilt(sha256, place));
}

/** The file itself, when it is still the same. */
async function nowIn(path: string, sha256: string, { folder }: DiffPlace): Promise<Uint8Array | undefined> {
  const bytes = await readFileUpTo(folder, path, textLimit);
  return bytes && hashBytes(bytes) === sha256 ? bytes : undefined;
}

/** What a write or an edit made of a kept content, worked out again from its recorded input. */
async function rebuilt(
  sha256: string,
  { storage, steps }: Pick<DiffPlace, 'storage' | 'steps'>,
): Promise<Uint8Array | undefined> {
  for (const { id, tool, input, intent } of steps.toReversed()) {
    if (intent?.kind !== 'file' || intent.afterSha256 !== sha256) continue;
    const kind = changeKindOf(tool);
    const before = intent.beforeSha256 === null ? undefined : await readKept(storage, intent.beforeSha256);
    if (!kind || (kind.readsCurrent && !before)) continue;
    try {
      const context = { storage, stepId: id, signal: new AbortController().signal };
      const { after } = await runOnCopy(kind, kind.parse(input), intent.path, before, context);
      // A secret that is redacted in the record makes another content.
      if (hashBytes(after) === sha256) return after;
    } catch (error) {
      if (!(error instanceof ToolInputError)) throw error;
    }
  }
  return undefined;
}

/** Before and after a change that waits to be allowed, as it would be done now. Undefined for a call that changes no file. */
export async function proposedContents(
  step: Pick<Step, 'id' | 'tool' | 'input'>,
  { folder, storage }: Omit<DiffPlace, 'steps'>,
  editor: EditorFiles,
): Promise<DiffContents | undefined> {
  const kind = changeKindOf(step.tool);
  if (!kind) return undefined;
  const context: StagingContext = { folder, storage, stepId: step.id, signal: new AbortController().signal };
  let path = typeof step.input.file_path === 'string' ? step.input.file_path : '';
  try {
    const input = kind.parse(step.input);
    path = (await confine(folder, input.file_path)).relative;
    const staged = await stageChange(kind, input, context, editor, () => Promise.resolve());
    const before = staged.before;
    const unfit = (before && unfitWords(path, before)) ?? unfitWords(path, staged.after);
    if (unfit !== undefined) return { kind: 'words', path, words: unfit };
    if (staged.beforeSha256 !== null) {
      if (!before) return { kind: 'words', path, words: `${path} is too large to be compared.` };
      await keepContent(storage, staged.beforeSha256, before);
    }
    await keepContent(storage, staged.afterSha256, staged.after);
    return { kind: 'diff', path, before: staged.beforeSha256, after: staged.afterSha256 };
  } catch (error) {
    if (!(error instanceof ToolInputError)) throw error;
    return { kind: 'words', path, words: `This change cannot be made as it stands. ${error.message}` };
  }
}
