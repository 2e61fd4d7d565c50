// The one way a run begins and ends, whether by a message, a resume or a retry: guards, ownership, first records,
// the loop, and the record of its end. Every failure of a background run comes out here.
import { callIdsOf } from '../core/agents.ts';
import { isStorageFailure, RatchetError } from '../core/errors.ts';
import type { FolderIdentity, NewEvent, SessionStateName } from '../core/events.ts';
import { assertCanLaunch, type LaunchCause } from '../core/launchPlan.ts';
import { deliveries } from '../core/messageQueue.ts';
import type { Effort, ThinkingMode } from '../core/messages.ts';
import { hasWork, stateName } from '../core/sessionState.ts';
import { recordedExtras, titleText, type MessageExtras } from '../core/userInput.ts';
import { ellipsis } from '../core/wellFormed.ts';
import { runAgentLoop } from './agentLoop.ts';
import type { AgentOverrides, AgentRoster } from './agentPorts.ts';
import { Deadline } from './deadline.ts';
import { createDelegateTool } from './delegateTool.ts';
import type { ActiveRun, LiveSession } from './liveSession.ts';
import { finishCutCompaction } from './keepInWindow.ts';
import type { RunContext } from './runContext.ts';
import type { SandboxLook } from './sandboxPort.ts';
import { RunStopped } from './runStopped.ts';
import type { ClaimedJournal } from './sessionStore.ts';
import type { PreparedModel, SessionPorts } from './sessionPorts.ts';
import { assertMayAnswer, modelChoice } from './modelChoice.ts';
import { writePatiently } from './patientWrite.ts';
import { agentsOfRun, assertKnownAgents } from './runAgents.ts';
import { endOf, recordEnd } from './runEnd.ts';
import { deliverQueue } from './queue.ts';
import { lookAround, relaunchRecord } from './relaunch.ts';
import { waitOutRest, waitShown } from './retryWait.ts';
import { assertNoCutRevert } from './revertSession.ts';
import { promptToSet } from './sessionPrompt.ts';
import { settleCalls } from './settleCalls.ts';

export interface LaunchRequest extends AgentOverrides {
  readonly cause: LaunchCause;
  /** The message; only with the cause `message`. */
  readonly text?: string;
  /** Made by whoever sends it, so that it is known when it comes again; a new one where that is left out. */
  readonly messageId?: string;
  readonly extras?: MessageExtras;
  readonly model?: string;
  readonly thinking?: ThinkingMode;
  readonly effort?: Effort | 'default';
  /** Nobody asked for it: the setting ratchet.autoResume did, which had seen the trace until this record. */
  readonly auto?: { readonly lastSeq: number };
  /** At once, even when the server asked for a wait that is not over. */
  readonly now?: true;
}

/** The message is in the trace already: nothing was launched, and nothing is to be done about it. */
export class MessageRecorded extends Error {}

/**
 * Accepts a launch or refuses it. When it resolves, the run's beginning is on disk and the run goes on by itself.
 * @returns the state the session was in
 * @throws RatchetError, or MessageRecorded; nothing was written then, and a run that goes on is not disturbed
 */
export async function launch(
  ports: SessionPorts,
  session: LiveSession,
  request: LaunchRequest,
): Promise<SessionStateName> {
  const check = (state: SessionStateName): void => {
    assertCanLaunch(request.cause, state, hasWork(session.state));
    assertNoCutRevert(session);
  };
  check(session.name);
  ports.assertMayRun(session.folder);
  session.launching = true;
  session.changed();
  try {
    return await session.exclusively(() => begin(ports, session, request, check));
  } catch (error) {
    // Who sends a message has it back with the reason; a button has nothing to say it with but the panel.
    if (request.cause !== 'message' && isStorageFailure(error)) session.setProblem(notStarted(error, session));
    throw error;
  } finally {
    session.launching = false;
    session.changed();
  }
}

/** Why a press of Resume or Retry did nothing, where that is, and what to do. */
function notStarted({ message }: RatchetError, { stored }: LiveSession): string {
  return `Nothing was started. ${message} The session is kept in ${stored.storage}. Then press the button again.`;
}

async function begin(
  ports: SessionPorts,
  session: LiveSession,
  request: LaunchRequest,
  check: (state: SessionStateName) => void,
): Promise<SessionStateName> {
  const roster = await ports.agents.roster(session.folder);
  assertKnownAgents(request, roster, session.state);
  const model = await ports.prepareModel(modelChoice(session.state, request), session.state.answers);
  const sandbox = await ports.sandbox?.look(session.folder, session.stored.storage);
  session.stopAsked = undefined;
  const claim = await session.stored.claim(session.take, session.obeyStop);
  session.heldElsewhere = !claim;
  if (!claim)
    throw new RatchetError(
      'already_running',
      'Another window is running this session. It can be watched and stopped here.',
    );
  try {
    const priorState = stateName(session.state, false);
    if (request.messageId !== undefined && session.state.messageIds.has(request.messageId)) throw new MessageRecorded();
    check(priorState);
    assertMayAnswer(model, session.state);
    if (request.auto && request.auto.lastSeq !== session.state.lastSeq)
      throw new RatchetError('already_running', 'Another window went on with this session.');
    const runId = ports.newId();
    await session.write(claim, await firstRecords(ports, session, request, model, roster, runId, priorState), true);
    session.problem = undefined;
    session.ownRunId = runId;
    session.run = start(ports, session, request, model, roster, runId, priorState, claim, sandbox);
    session.obeyEarlierStop();
    return priorState;
  } catch (error) {
    await claim.close().catch((closeError: unknown) => {
      ports.log(`The journal of session ${session.id} could not be closed`, closeError);
    });
    throw error;
  }
}

async function firstRecords(
  ports: SessionPorts,
  session: LiveSession,
  request: LaunchRequest,
  model: PreparedModel,
  roster: AgentRoster,
  runId: string,
  priorState: SessionStateName,
): Promise<readonly NewEvent[]> {
  const { state } = session;
  const { settings } = model;
  const events: NewEvent[] = [];
  const prompt = await promptToSet(ports, session, roster, request.cause);
  if (prompt) events.push({ type: 'prompt_set', system: prompt.system, tools: [...prompt.tools] });
  events.push({
    type: 'run_started',
    runId,
    cause: request.cause,
    model: settings.model,
    thinking: settings.thinking,
    maxTokens: settings.maxTokens,
    ...(settings.effort && { effort: settings.effort }),
    ...(model.connection && { connection: model.connection }),
  });
  if (request.cause === 'message') {
    const surroundings = await newSurroundings(ports, session);
    events.push(...deliveries(state.queue), {
      type: 'user_message_added',
      messageId: request.messageId ?? ports.newId(),
      text: request.text ?? '',
      origin: 'user',
      ...(surroundings !== '' && { surroundings }),
      ...recordedExtras(request.extras ?? {}, state),
    });
  } else {
    events.push({
      type: 'session_resumed',
      runId,
      mode: request.cause,
      priorState,
      stepsKept: state.succeededSteps,
      ...(request.auto && { auto: true as const }),
    });
  }
  // Also on a resume: of the first records a power loss may have left the message without its title.
  const first = [...state.conversation, ...events].find((entry) => entry.type === 'user_message_added');
  const title = state.title === '' && first ? titleOf(titleText(first.text, first.images)) : '';
  for (const text of roster.problems) events.push({ type: 'note_added', level: 'warning', text });
  if (title === '') return events;
  const titled: NewEvent = { type: 'title_changed', title, by: 'first_message' };
  // Before a message that may be longer than what a list reads of a trace.
  const isLong = first?.attachments !== undefined || first?.images !== undefined;
  return isLong ? [titled, ...events] : [...events, titled];
}

/** What is around the session now, unless the model was told the same already; a look that fails costs only itself. */
async function newSurroundings(ports: SessionPorts, session: LiveSession): Promise<string> {
  try {
    const text = await ports.surroundings(session.folder);
    const told = session.state.conversation.findLast(
      (entry) => entry.type === 'user_message_added' && entry.surroundings !== undefined,
    );
    return told?.type === 'user_message_added' && told.surroundings === text ? '' : text;
  } catch (error) {
    ports.log('The repository and the editors could not be looked at', error);
    return '';
  }
}

function titleOf(text: string): string {
  return ellipsis(text.trim().split('\n', 1)[0]?.trim() ?? '', 60);
}

function start(
  ports: SessionPorts,
  session: LiveSession,
  request: LaunchRequest,
  model: PreparedModel,
  roster: AgentRoster,
  runId: string,
  priorState: SessionStateName,
  claim: ClaimedJournal,
  sandbox: SandboxLook | undefined,
): ActiveRun {
  const controller = new AbortController();
  const limit = ports.runTimeLimit();
  const deadline = new Deadline(ports.clock, limit, () => {
    controller.abort(new RunStopped('time_limit'));
  });
  const delegate = createDelegateTool(
    () => run,
    agentsOfRun(ports, session.folder, session.state, roster, {
      ...request,
      sessionModel: model.settings.model,
      sessionEffort: model.settings.effort,
    }),
  );
  const tools = roster.agents.length === 0 ? ports.tools : [...ports.tools, delegate];
  const patiently = <T>(write: () => Promise<T>): Promise<T> =>
    writePatiently(ports, session, { signal: controller.signal, deadline }, write);
  const run: RunContext = {
    runId,
    sessionId: session.id,
    resumed: request.cause !== 'message',
    state: session.state,
    thread: session.state,
    callIds: callIdsOf(session.state),
    folder: session.folder.path,
    storage: session.stored.storage,
    model: model.port,
    settings: model.settings,
    tools: new Map(tools.map((tool) => [tool.definition.name, tool])),
    signal: controller.signal,
    clock: ports.clock,
    newId: ports.newId,
    write: (...events) => patiently(() => session.write(claim, events, true)),
    note: (...events) => patiently(() => session.write(claim, events, false)),
    patiently,
    patienceMs: ports.patience(),
    chance: ports.chance,
    waitShown: (ms, signal) => waitShown(ports, session, ms, signal),
    deliverQueue: () => deliverQueue(session, (...events) => run.write(...events)),
    approvalMode: () => session.approvalMode(ports.defaultApprovalMode()),
    ...(sandbox && { sandbox: { look: sandbox, alsoForRules: () => ports.sandbox?.alsoForRules() === true } }),
    takeCompactionWish: () => session.takeCompactionWish(),
    approvalRules: {
      syntax: ports.approvalRules.syntax,
      list: () => ports.approvalRules.list(session.folder.uri),
    },
    askApproval: (stepId, signal, answered) => deadline.pauseFor(session.askApproval(stepId, signal, answered)),
    onDelta: (requestId, delta) => {
      session.stream(requestId, delta, ports.clock.now());
    },
    streamedText: (requestId) => session.streamedText(requestId),
    onLiveOutput: (stepId, lines) => {
      session.showLive(stepId, lines);
    },
    log: ports.log,
  };
  const toItsEnd = async (): Promise<void> => {
    for (let go = () => drive(ports, run, session.folder, request, priorState); ; go = () => runAgentLoop(run)) {
      const end = await go().then(
        () => ({ outcome: 'done' }) as const,
        (error: unknown) => endOf(error, limit),
      );
      // A record that somebody makes meanwhile comes before the end or after the journal is closed.
      const hasEnded = await session.exclusively(async () => {
        // A message that was queued in the last moment is the next turn.
        if (end.outcome === 'done' && session.state.queue.length > 0) return false;
        await recordEnd(ports, session, run, claim, end);
        return true;
      });
      if (hasEnded) return;
    }
  };
  // Begins in a later turn, so that the caller has the run before its first step.
  const ended = Promise.resolve()
    .then(toItsEnd)
    .finally(() => {
      deadline.dispose();
    });
  return { id: runId, controller, claim, ended };
}

async function drive(
  ports: SessionPorts,
  run: RunContext,
  folder: FolderIdentity,
  request: LaunchRequest,
  priorState: SessionStateName,
): Promise<void> {
  const settled = await settleCalls(run, request.cause !== 'message');
  await finishCutCompaction(run);
  if (request.cause !== 'message') {
    const { state, runId, clock, settings } = run;
    const around = await lookAround(ports, folder, state, (error) => {
      run.signal.throwIfAborted();
      run.log('A part of the resume context could not be looked up', error);
    });
    // Before the relaunch: after its system message the API takes nothing but an answer.
    const hadQueue = state.queue.length > 0;
    await run.deliverQueue();
    const { takesSystemMessages } = settings;
    const relaunch = { runId, mode: request.cause, priorState, hadQueue, settled, takesSystemMessages };
    await run.write(relaunchRecord(state, around, { ...relaunch, now: clock.now() }));
    if (!request.now) await waitOutRest(run);
  }
  await runAgentLoop(run);
}
