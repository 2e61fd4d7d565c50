// The evidence for the skip guard: what the session recorded of a command, compared with what is there now.
import { decideSkip } from '../core/skipGuard.ts';
import type { FinishedStep } from '../core/sessionState.ts';
import type { ToolContext, ToolResult } from '../runner/ports.ts';
import { checkArtifacts } from './artifactCheck.ts';
import { compareScans } from './folderChanges.ts';
import type { FolderLooks } from './folderLooks.ts';
import { loadScan } from './scanStore.ts';

export const recalledNote = 'done before, artifacts verified';

export interface RecallQuestion {
  readonly command: string;
  readonly forced: boolean;
  readonly context: ToolContext;
  /** Finished steps of the session, oldest first. */
  readonly done: readonly FinishedStep[];
  readonly looks: FolderLooks;
}

/** The recorded result of the same command, when the guard lets it stand for a new run; else undefined. */
export async function recallCommand(question: RecallQuestion): Promise<ToolResult | undefined> {
  const { command, forced, context, done, looks } = question;
  // One that was answered from the record itself has no job; it is not asked for evidence.
  const before = done.findLast((step) => step.intent?.kind === 'job' && step.intent.command === command);
  const asked = { resumed: true, forced, command };
  // What can be said without looking at the folder comes first.
  const known = before && {
    succeeded: before.result.outcome === 'succeeded',
    artifactsComplete: true,
    changedSince: [],
  };
  const recorded = before?.result.artifacts ?? [];
  const hoped = recorded.map(({ path }) => ({ path, verdict: 'intact' as const }));
  if (!before || !known || !decideSkip({ ...asked, before: { ...known, artifacts: hoped } }).skip) return undefined;
  const verdicts = await checkArtifacts(context.folder, recorded);
  const decision = decideSkip({
    ...asked,
    before: {
      succeeded: known.succeeded,
      artifacts: recorded.map(({ path }) => ({ path, verdict: verdicts.get(path) ?? 'missing' })),
      artifactsComplete: before.result.artifactsPartial !== true,
      changedSince: await changedSince(before, context, looks),
    },
  });
  return decision.skip ? recordedResult(before) : undefined;
}

/** Paths that differ from when the step began; undefined when that is not known any more. */
async function changedSince(
  step: FinishedStep,
  context: ToolContext,
  looks: FolderLooks,
): Promise<readonly string[] | undefined> {
  if (step.intent?.kind !== 'job') return undefined;
  const before = await loadScan(context.storage, step.intent.key);
  // With a clock that was put back since, times can't be compared.
  if (!before?.complete || before.at > Date.now()) return undefined;
  const now = await looks.now(context.folder, context.storage);
  if (!now.complete) return undefined;
  const paths: string[] = [];
  await compareScans(before, now, ({ path }) => paths.push(path));
  return paths;
}

function recordedResult({ result }: FinishedStep): ToolResult {
  const { exitCode, output } = result;
  return {
    outcome: 'succeeded',
    content: `Not run again: this command succeeded before in this session, what it made is unchanged, and so is everything else in the folder. Call it with force: true to run it anyway. Its recorded result:\n\n${result.content}`,
    ...(exitCode !== undefined && { exitCode }),
    ...(output && { output }),
    note: recalledNote,
  };
}
