// What going back to before a message means: which records it cuts, which files were touched since, and what is done
// with each. Pure: what is on disk now is handed in.
import type { LeftFile, LeftReason, RevertFile } from './recordedFiles.ts';
import { fileSpan, type FileSpan } from './fileVersions.ts';
import { imageBlock, type MessageImage } from './images.ts';
import { isForeign, type SessionState, type Step } from './sessionState.ts';

export interface RevertCut {
  /** The last record that stays. */
  readonly toSeq: number;
  readonly messageId: string;
  /** The message, whole. */
  readonly text: string;
  /** Those that can be sent again. */
  readonly images: readonly MessageImage[];
}

/** A message that was taken back, to be changed and sent again. */
export type TakenBack = Pick<RevertCut, 'text' | 'images'>;

/** Where the trace is cut to be before a message of the user; undefined when there is no such message (any more). */
export function cutBefore({ reverts: { active } }: SessionState, messageId: string): RevertCut | undefined {
  const at = active.findLastIndex(
    (event) => event.type === 'user_message_added' && event.messageId === messageId && event.agentId === undefined,
  );
  const message = active[at];
  if (message?.type !== 'user_message_added' || message.origin !== 'user') return undefined;
  // A message that began a run takes the beginning of the run with it, and the prompt that was written for it.
  let first = at;
  const before = active[at - 1];
  if (before?.type === 'run_started' && before.cause === 'message') {
    first = at - 1;
    const prompt = active[at - 2];
    if (prompt?.type === 'prompt_set' && prompt.agentId === undefined) first = at - 2;
  }
  const images = (message.images ?? []).filter((image) => imageBlock(image) !== undefined);
  return { toSeq: (active[first]?.seq ?? 1) - 1, messageId, text: message.text, images };
}

export interface TouchedFile extends FileSpan {
  /** Somebody else changed it between two steps: going back would lose that too. */
  readonly isMixed: boolean;
}

/** The files that steps of this place touched which began after this record, each from before the first to after the last of them. */
export function filesTouchedSince(state: SessionState, toSeq: number): readonly TouchedFile[] {
  const begun = new Set<string>();
  for (const event of state.reverts.active)
    if (event.type === 'step_started' && event.seq > toSeq && !isForeign(state, event.seq)) begun.add(event.stepId);
  const steps = [...state.steps.values()];
  const touching = new Map<string, Step[]>();
  for (const step of steps) {
    if (!begun.has(step.id)) continue;
    for (const path of pathsOf(step)) touching.set(path, [...(touching.get(path) ?? []), step]);
  }
  return [...touching].flatMap(([path, touched]) => {
    const [first, last] = [touched[0], touched.at(-1)];
    const span = first && last && fileSpan(steps, path, last.id, first.id);
    return span ? [{ ...span, isMixed: isMixed(steps, path, touched) }] : [];
  });
}

function pathsOf(step: Step): readonly string[] {
  const paths = new Set(step.status === 'finished' ? step.result.artifacts?.map(({ path }) => path) : []);
  const mayHaveWritten = step.status === 'running' || (step.status === 'finished' && step.result.outcome === 'cut');
  if (step.intent?.kind === 'file' && mayHaveWritten) paths.add(step.intent.path);
  return [...paths];
}

function isMixed(steps: readonly Step[], path: string, touched: readonly Step[]): boolean {
  return touched.some(({ intent }, index) => {
    const before = touched[index - 1];
    if (!before || intent?.kind !== 'file' || intent.path !== path) return false;
    const left = fileSpan(steps, path, before.id)?.after;
    if (!left || left.kind === 'unknown') return false;
    return (left.kind === 'none' ? null : left.sha256) !== intent.beforeSha256;
  });
}

/** Whether a command since then changed more files than were recorded. */
export function hasUnrecordedFiles(state: SessionState, toSeq: number): boolean {
  return state.reverts.active.some(
    (event) =>
      event.type === 'step_finished' && event.seq > toSeq && event.artifactsPartial && !isForeign(state, event.seq),
  );
}

/** What a touched file is like now. */
export interface FileLook {
  /** Null for no file. */
  readonly sha256: string | null;
  readonly executable?: true;
  /** A link's name, by which it runs or instructs by itself. Relative to the folder, with `/`. */
  readonly otherName?: string;
  /** An editor has unsaved changes to it. */
  readonly isUnsaved: boolean;
  /** Too large for its present content to be kept. */
  readonly isTooLarge: boolean;
  /** The content from before is at hand. */
  readonly hasBefore: boolean;
}

export type FileVerdict =
  | { readonly kind: 'put'; readonly file: RevertFile }
  | { readonly kind: 'left'; readonly file: LeftFile }
  /** It is as it was before. */
  | { readonly kind: 'same' };

/** What a revert does with a file. It goes back only from what the last step left. */
export function verdictOn(touched: TouchedFile, look: FileLook): FileVerdict {
  const { path, before, after } = touched;
  const left = (why: LeftReason): FileVerdict => ({ kind: 'left', file: { path, why } });
  if (before.kind === 'unknown') return left('not_kept');
  const toSha256 = before.kind === 'none' ? null : before.sha256;
  if (look.isUnsaved) return left('unsaved');
  if (look.sha256 === toSha256) return { kind: 'same' };
  const known = after.kind === 'unknown' ? undefined : after.kind === 'none' ? null : after.sha256;
  if (touched.isMixed || look.sha256 !== known) return left('changed');
  if (toSha256 !== null && !look.hasBefore) return left('not_kept');
  if (look.isTooLarge) return left('too_large');
  const toExecutable = before.kind === 'content' && before.executable;
  return {
    kind: 'put',
    file: {
      path,
      fromSha256: look.sha256,
      toSha256,
      ...(look.executable && { fromExecutable: true }),
      ...(toExecutable && { toExecutable }),
    },
  };
}

/** What a revert would do, looked up now. */
export interface RevertPlan extends RevertCut {
  /** The trace as it was looked at: a revert by this plan is refused once there is more. */
  readonly lastSeq: number;
  readonly files: readonly RevertFile[];
  readonly left: readonly LeftFile[];
  /** By path: the name by which a file runs or instructs by itself, where a link gives it another than its own. */
  readonly otherNames?: ReadonlyMap<string, string>;
  /** Commands changed more files than were recorded. */
  readonly hasUnrecorded: boolean;
  /** Commands of the session that still run: a revert does not end them. */
  readonly running: readonly { readonly key: string; readonly command: string; readonly startedAt: number }[];
}
