// What a resume would send, without doing it: built by what builds the request, from what can be seen now. Nothing is
// written, no call is settled, no model is asked for an answer.
import { compactionThreshold, contextSize, tokensOf } from '../core/contextBudget.ts';
import type { ResumeMode, SessionEvent } from '../core/events.ts';
import { historyEdits } from '../core/historyEdits.ts';
import { assertCanLaunch } from '../core/launchPlan.ts';
import { deliveries } from '../core/messageQueue.ts';
import type { ModelRequest, ThinkingMode } from '../core/messages.ts';
import { buildRequest } from '../core/requestBuilder.ts';
import type { ArtifactVerdict } from '../core/resumeContext.ts';
import { hasWork, type ConversationEvent, type Prompt, type SessionState } from '../core/sessionState.ts';
import { stepTitle } from '../core/stepTitles.ts';
import type { LiveSession } from './liveSession.ts';
import { modelChoice } from './modelChoice.ts';
import { lookAround, relaunchRecord, type Surroundings } from './relaunch.ts';
import { promptToSet } from './sessionPrompt.ts';
import type { SessionPorts } from './sessionPorts.ts';
import { openCalls } from './settleCalls.ts';

/** How long a server keeps the beginning of a request, in milliseconds. */
const cacheLifeMs = 5 * 60_000;

export interface ResumePreview {
  /** The first request, but for the answers to calls that are still open. */
  readonly request: ModelRequest;
  /** Tokens of the whole request. */
  readonly tokens: number;
  /** The server counted them; else they are estimated. */
  readonly isCounted: boolean;
  /** Those of them that the last request did not have. An estimate. */
  readonly newTokens: number;
  /** Whether the server may still have the rest in its cache, or why not. */
  readonly cache: 'warm' | 'cold' | 'other_model' | 'other_prompt';
  /** Those that made files, with what became of them, and those that are still open; in the order of their begin. */
  readonly steps: readonly StepStanding[];
  /** It is longer than the model takes, and is made shorter before it is sent. */
  readonly isCompactedFirst: boolean;
  /** Why the files could not be looked at. */
  readonly problem?: string;
}

/** A step, and whether what it did is still there. */
export interface StepStanding {
  readonly title: string;
  /** `unknown`: it was cut, and is settled before anything is sent; or its files could not be looked at. */
  readonly verdict: ArtifactVerdict | 'unknown';
  /** Those that no later step touched. */
  readonly files: readonly { readonly path: string; readonly verdict: ArtifactVerdict | 'unknown' }[];
}

/**
 * @param signal ends the question to the server
 * @throws RatchetError as a resume would, and nothing was written
 */
export async function previewResume(
  ports: SessionPorts,
  session: LiveSession,
  options: { readonly mode: ResumeMode; readonly model?: string; readonly thinking?: ThinkingMode },
  signal: AbortSignal,
): Promise<ResumePreview> {
  const { state, name, folder } = session;
  assertCanLaunch(options.mode, name, hasWork(state));
  ports.assertMayRun(folder);
  const { mode } = options;
  const { port, settings } = await ports.prepareModel(modelChoice(state, { ...options, cause: mode }), state.answers);
  const set = await promptToSet(ports, session, await ports.agents.roster(folder), mode);
  const prompt = set ?? state.prompt ?? noPrompt;
  const around = await lookAround(ports, folder, state, (error) => {
    ports.log('A part of the preview could not be looked up', error);
  });
  const now = ports.clock.now();
  const relaunch = relaunchRecord(state, around, {
    runId: 'preview',
    mode,
    priorState: name,
    hadQueue: state.queue.length > 0,
    settled: [],
    takesSystemMessages: settings.takesSystemMessages,
    now,
  });
  const added = [...deliveries(state.queue), relaunch].map((event, index): SessionEvent => {
    return { ...event, seq: state.lastSeq + 1 + index, at: now };
  });
  const conversation = [...state.conversation, ...added.filter(isConversation)];
  const request = buildRequest(conversation, prompt, settings);
  const size = contextSize(conversation, prompt);
  const counted = await port.countTokens?.(request, signal);
  const tokens = counted ?? size.tokens;
  const limits = settings.contextWindow === undefined ? undefined : { window: settings.contextWindow, ...settings };
  return {
    request,
    tokens,
    isCounted: counted !== undefined,
    newTokens: Math.min(tokens, size.counted === 0 ? tokens : addedTokens(added, conversation)),
    cache: set ? 'other_prompt' : cacheOf(state, settings.model, now),
    steps: standings(state, around.artifacts),
    isCompactedFirst: limits !== undefined && tokens > compactionThreshold(limits),
    ...(!around.artifacts.ok && { problem: around.artifacts.reason }),
  };
}

/** Of what the resume adds to the conversation; of its context that which is sent. */
function addedTokens(added: readonly SessionEvent[], conversation: readonly ConversationEvent[]): number {
  return tokensOf(added.filter(isConversation), historyEdits(conversation));
}

const worstFirst = ['missing', 'changed', 'unknown', 'intact'] as const;

function standings(state: SessionState, looked: Surroundings['artifacts']): readonly StepStanding[] {
  const verdicts = new Map(looked.ok ? looked.value.map(({ artifact, verdict }) => [artifact.path, verdict]) : []);
  const filesOf = Map.groupBy(state.artifacts.values(), ({ stepId }) => stepId);
  const open = new Map(openCalls(state).map((call) => [call.id, call]));
  const begun = [...state.steps.values()].filter(({ id }) => filesOf.has(id) || open.has(id));
  const neverBegun = [...open.values()].filter(({ id }) => !state.steps.has(id));
  return [
    ...begun.map(({ id, tool, input }): StepStanding => {
      const files = (filesOf.get(id) ?? []).map(({ path }) => {
        return { path, verdict: verdicts.get(path) ?? ('unknown' as const) };
      });
      const verdict = worstFirst.find((word) => files.some((file) => file.verdict === word)) ?? 'unknown';
      return { title: titleOf(tool, input, open.has(id)), verdict: open.has(id) ? 'unknown' : verdict, files };
    }),
    ...neverBegun.map(({ name, input }): StepStanding => {
      return { title: titleOf(name, input, true), verdict: 'unknown', files: [] };
    }),
  ];
}

function titleOf(tool: string, input: Readonly<Record<string, unknown>>, isOpen: boolean): string {
  const { verb, subject } = stepTitle(tool, input, isOpen ? 'running' : 'ended');
  return `${verb} ${subject}`;
}

const noPrompt: Prompt = { system: '', tools: [] };

function isConversation(event: SessionEvent): event is Extract<ConversationEvent, SessionEvent> {
  return event.type === 'user_message_added' || event.type === 'relaunch_prepared';
}

function cacheOf({ conversation }: SessionState, model: string, now: number): ResumePreview['cache'] {
  const last = conversation.findLast((entry) => entry.type === 'assistant_message_completed');
  if (last?.type !== 'assistant_message_completed') return 'cold';
  if (last.model !== model) return 'other_model';
  return now - last.at < cacheLifeMs ? 'warm' : 'cold';
}
