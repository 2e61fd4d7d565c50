// What a resumed model is told, as a record: from the trace and from a look at the folder and the editors. Made in one
// place, so that a preview of a resume is what the resume sends.
import { madeByAgents } from '../core/agents.ts';
import { messageOf } from '../core/errors.ts';
import type { FolderIdentity, NewEvent, ResumeMode, SessionStateName } from '../core/events.ts';
import type { Artifact } from '../core/recordedFiles.ts';
import { shorterContext, standingContext } from '../core/resumeChanges.ts';
import {
  relaunchPrompt,
  resumeSections,
  sectionsText,
  type ArtifactVerdict,
  type Looked,
} from '../core/resumeContext.ts';
import type { SessionState } from '../core/sessionState.ts';
import type { SessionPorts } from './sessionPorts.ts';
import type { SettledCall } from './settleCalls.ts';

type LookPorts = Pick<SessionPorts, 'listWorkspace' | 'checkArtifacts' | 'openEditors'>;

/** What can be seen now of what a session has to go on with. */
export interface Surroundings {
  readonly listing: Awaited<ReturnType<SessionPorts['listWorkspace']>>;
  readonly artifacts: Looked<readonly { readonly artifact: Artifact; readonly verdict: ArtifactVerdict }[]>;
  readonly editors: ReturnType<SessionPorts['openEditors']>;
}

/** @param onFailure of a look, which costs its section and never the resume; it may throw */
export async function lookAround(
  ports: LookPorts,
  folder: FolderIdentity,
  state: SessionState,
  onFailure: (error: unknown) => void,
): Promise<Surroundings> {
  const recorded = [...state.artifacts.values()];
  const look = async <T>(what: () => Looked<T> | Promise<Looked<T>>): Promise<Looked<T>> => {
    try {
      return await what();
    } catch (error) {
      onFailure(error);
      return { ok: false, reason: messageOf(error) };
    }
  };
  const [listing, artifacts, editors] = await Promise.all([
    look(() => ports.listWorkspace(folder.path, [...state.artifacts.keys()])),
    look(() => ports.checkArtifacts(folder.path, recorded)),
    look(() => ports.openEditors(folder)),
  ]);
  return { listing, artifacts, editors };
}

export interface Relaunch {
  readonly runId: string;
  readonly mode: ResumeMode;
  readonly priorState: SessionStateName;
  /** There were messages that waited. */
  readonly hadQueue: boolean;
  readonly settled: readonly SettledCall[];
  readonly takesSystemMessages: boolean;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export function relaunchRecord(
  state: SessionState,
  around: Surroundings,
  { runId, mode, priorState, hadQueue, settled, takesSystemMessages, now }: Relaunch,
): Extract<NewEvent, { type: 'relaunch_prepared' }> {
  const input = {
    now,
    mode,
    priorState,
    conversation: state.conversation,
    agents: [...state.agents.values()],
    madeBy: madeByAgents(state),
    tasks: state.tasks,
    ...around,
    inFlight: settled,
  };
  const sections = resumeSections(input);
  const context = sectionsText(sections);
  const { listing } = around;
  return {
    type: 'relaunch_prepared',
    runId,
    prompt: relaunchPrompt(mode, priorState, hadQueue),
    context,
    placement: takesSystemMessages ? 'system' : 'user',
    ...shorterContext(context, sections, standingContext(state.conversation), input),
    ...(listing.ok && { listed: listing.value.files.map(({ path, size, mtimeMs }) => ({ path, size, mtimeMs })) }),
  };
}
