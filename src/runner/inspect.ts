// What an idle session has to go on with, looked up now: which of its artifacts are intact, which of its commands run.
// Only for showing; a resume looks again.
import type { ArtifactVerdict } from '../core/resumeContext.ts';
import { offeredAction } from '../core/launchPlan.ts';
import type { SessionState } from '../core/sessionState.ts';
import type { LiveSession } from './liveSession.ts';
import type { SessionPorts } from './sessionPorts.ts';

export interface RunningCommand {
  readonly key: string;
  readonly command: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

export interface Inspection {
  readonly verdicts: ReadonlyMap<string, ArtifactVerdict>;
  readonly running: readonly RunningCommand[];
  /** Of the commands that the cut run followed, those that have ended since. */
  readonly ended: readonly EndedCommand[];
}

export interface EndedCommand {
  readonly command: string;
  /** "exit 0" */
  readonly how: string;
}

/** Looks at the session's artifacts and commands and puts what is found on screen; nothing for one that offers no resume. */
export async function inspectSession(ports: SessionPorts, session: LiveSession): Promise<void> {
  if (session.hasRun() || !offeredAction(session.name)) return;
  const seq = session.state.lastSeq;
  const [artifacts, running, ended] = await Promise.all([
    ports.checkArtifacts(session.folder.path, [...session.state.artifacts.values()]),
    runningCommands(ports, session),
    endedCommands(ports, session),
  ]);
  // Something happened meanwhile: what was seen is about the past.
  if (session.hasRun() || session.state.lastSeq !== seq) return;
  const verdicts = artifacts.ok
    ? artifacts.value.map(({ artifact, verdict }) => [artifact.path, verdict] as const)
    : [];
  session.setInspection({ verdicts: new Map(verdicts), running, ended });
}

/** Looks whether a command has ended that an idle session was found with, and looks at all of it again then. */
export async function watchCommands(ports: SessionPorts, session: LiveSession): Promise<void> {
  for (const { key } of session.inspection?.running ?? []) {
    if ((await ports.commands.howItEnded(session.stored.storage, key)) === undefined) continue;
    await inspectSession(ports, session);
    return;
  }
}

async function endedCommands(ports: SessionPorts, { state, stored }: LiveSession): Promise<readonly EndedCommand[]> {
  const ended: EndedCommand[] = [];
  for (const id of state.openSteps) {
    const step = state.steps.get(id);
    if (step?.status !== 'running' || step.intent?.kind !== 'job') continue;
    const how = await ports.commands.howItEnded(stored.storage, step.intent.key);
    if (how !== undefined) ended.push({ command: step.intent.command, how });
  }
  return ended;
}

/** The commands of a session that run now, whether or not somebody follows them. */
export async function runningCommands(ports: SessionPorts, session: LiveSession): Promise<readonly RunningCommand[]> {
  const running = await ports.commands.running(session.stored.storage);
  if (running.length === 0) return [];
  const commands = commandsByKey(session.state);
  return running.map(({ key, startedAt }) => ({ key, startedAt, command: commands.get(key) ?? key }));
}

function commandsByKey(state: SessionState): ReadonlyMap<string, string> {
  const commands = new Map<string, string>();
  for (const { intent } of state.steps.values()) if (intent?.kind === 'job') commands.set(intent.key, intent.command);
  return commands;
}
