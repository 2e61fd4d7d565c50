// Stop, in whatever window the run goes on: here it is aborted, elsewhere its owner is asked and waited for, with a limit.
// Must never know how a window is asked.
import { RatchetError } from '../core/errors.ts';
import { durationText } from '../core/words.ts';
import type { LiveSession } from './liveSession.ts';
import { RunStopped, type UserStop } from './runStopped.ts';
import type { SessionPorts } from './sessionPorts.ts';
import type { StopRequest } from './sessionStore.ts';

/** `interrupted`: the window that ran it is gone without having ended the run. */
export type StopAnswer = 'stopped' | 'interrupted' | 'not_running';

/** How long an owner may take to notice, and may then be silent while it ends its run, in milliseconds. */
const answerLimitMs = 15_000;
/** How long it may take to end its run at most, signs of life or not: a command's processes are given seconds. */
const endLimitMs = 60_000;
const lookMs = 100;

/** Ends the run of a session and waits for its end. @throws RatchetError `no_answer` */
export async function stopSession(ports: SessionPorts, session: LiveSession, kind: UserStop): Promise<StopAnswer> {
  return session.whileStopping(async () => {
    if (session.launching) await session.exclusively(() => Promise.resolve());
    const { run } = session;
    if (run) {
      run.controller.abort(new RunStopped(kind));
      await run.ended;
      return 'stopped';
    }
    const request = await session.stored.askToStop(kind);
    if (request) await untilOver(ports, request);
    await session.refresh();
    if (session.name !== 'interrupted') return request ? 'stopped' : 'not_running';
    // Its window died with the run: what the Stop asks for beyond that is done from here.
    if (kind === 'user') await endCutCommands(ports, session);
    return 'interrupted';
  });
}

/** @throws RatchetError `no_answer`; the request stands then */
async function untilOver(ports: SessionPorts, request: StopRequest): Promise<void> {
  const { clock } = ports;
  const askedAt = clock.now();
  let takenAt: number | undefined;
  for (;;) {
    const { status, silentMs } = await request.look();
    if (status === 'over') return;
    const now = clock.now();
    if (status === 'taken') takenAt ??= now;
    const isLate =
      takenAt === undefined
        ? now - askedAt >= answerLimitMs
        : now - takenAt >= endLimitMs || (silentMs >= answerLimitMs && now - takenAt >= answerLimitMs);
    if (isLate) throw noAnswer(takenAt !== undefined, silentMs);
    await clock.delay(lookMs, noSignal);
  }
}

/** The wait has a limit of its own. */
const noSignal = new AbortController().signal;

function noAnswer(isTaken: boolean, silentMs: number): RatchetError {
  const what = isTaken
    ? 'The window that runs this session is ending the run, but is not done yet.'
    : 'The window that runs this session did not answer, so the run goes on.';
  const life = silentMs >= answerLimitMs ? ` It gave no sign of life for ${durationText(silentMs)}.` : '';
  return new RatchetError(
    'no_answer',
    `${what}${life} The request stands: the run ends as soon as that window obeys. If it hangs, reload or close it.`,
  );
}

/** Ends the commands that the cut run followed. */
async function endCutCommands({ commands }: SessionPorts, { state, stored }: LiveSession): Promise<void> {
  const keys = [...state.openSteps].flatMap((id) => {
    const step = state.steps.get(id);
    return step?.status === 'running' && step.intent?.kind === 'job' ? [step.intent.key] : [];
  });
  if (keys.length === 0) return;
  // A step whose command could not be started at first has it under a later key.
  const isCut = (key: string): boolean => keys.some((first) => key === first || key.startsWith(`${first}.`));
  for (const { key } of await commands.running(stored.storage)) {
    if (isCut(key)) await commands.end(stored.storage, key);
  }
}
