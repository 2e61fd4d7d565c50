// The header, banner and list rows of sessions, from their folded state. All the words for states live here.
import type { AutoResumeMode } from '../core/autoResume.ts';
import type { ApprovalMode, SessionStateName } from '../core/events.ts';
import { offeredAction } from '../core/launchPlan.ts';
import { cutStep, hasWork, lastRunHere, openRun, type SessionState, type Step } from '../core/sessionState.ts';
import type { QueuedMessage } from '../core/messageQueue.ts';
import { costText, type PriceOf } from '../core/spending.ts';
import { stepTitle } from '../core/stepTitles.ts';
import { ellipsis } from '../core/wellFormed.ts';
import { ageText, countOf } from '../core/words.ts';
import type { Banner, QueuedView, Remedy, SessionView } from '../protocol/view.ts';
import { remedyFor } from './remedies.ts';
import { revertView } from './revertTexts.ts';
import { usageText } from './runTexts.ts';
import { autoText, parkedBanner, parkedText, waitView } from './waitTexts.ts';

export const stateWords: Readonly<Record<SessionStateName, string>> = {
  created: 'new',
  running: 'running',
  done: 'done',
  failed: 'failed',
  cancelled: 'stopped',
  timed_out: 'timed out',
  interrupted: 'interrupted',
};

/** Of a run that a Stop is ending. */
export const stoppingWord = 'stopping';
export const needsYou = 'needs you';
/** Of a session that failed only because the server asked to come back later. */
export const parkedWord = 'parked';
export const untitled = 'New session';

export interface SessionViewInput {
  readonly id: string;
  readonly state: SessionState;
  readonly name: SessionStateName;
  readonly defaultModel: string;
  readonly defaultApprovalMode: ApprovalMode;
  readonly contextWindow: (model: string) => number;
  readonly priceOf?: PriceOf;
  readonly folderName?: string;
  readonly readOnly?: string;
  readonly inspection?: BannerFacts;
  /** Its run waits to make a request again. */
  readonly isWaiting?: boolean;
  /** Its run is being stopped. */
  readonly isStopping?: boolean;
  readonly autoResume?: AutoResumeMode;
}

/** What was found when the idle session was looked at. */
export interface BannerFacts {
  readonly verdicts: ReadonlyMap<string, 'intact' | 'changed' | 'missing'>;
  readonly running: NonNullable<Banner['running']>;
  readonly ended?: NonNullable<Banner['ended']>;
}

export function sessionView(input: SessionViewInput): SessionView {
  const { state, name } = input;
  const run = lastRunHere(state);
  const open = openRun(state);
  const next = state.chosenModel?.model;
  // What runs says what it runs with; what is idle, what the next run will take.
  const model = (name === 'running' ? run?.model : (next ?? run?.model)) ?? next ?? input.defaultModel;
  const used = state.lastUsage;
  const isStopping = name === 'running' && input.isStopping === true;
  const waits =
    name === 'running' && !isStopping && [...state.openSteps].some((id) => state.steps.get(id)?.status === 'waiting');
  const banner = bannerOf(state, name, input.inspection, input.autoResume);
  const revert = name === 'running' ? undefined : revertView(state.reverts);
  const wait =
    name === 'running' && input.isWaiting && !isStopping
      ? waitView(state.retry, state.runs.at(-1)?.model ?? '')
      : undefined;
  return {
    id: input.id,
    title: state.title === '' ? untitled : state.title,
    state: name,
    stateWord: isStopping
      ? stoppingWord
      : waits
        ? needsYou
        : banner?.retryAt !== undefined
          ? parkedWord
          : stateWords[name],
    needsUser: waits,
    ...(isStopping && { isStopping: true as const }),
    ...(name === 'running' && open && { runningSince: open.startedAt }),
    ...(input.folderName !== undefined && { folderName: input.folderName }),
    model,
    ...(next !== undefined && next !== model && { nextModel: next }),
    ...(input.readOnly !== undefined && { readOnly: input.readOnly }),
    approvalMode: state.approvalMode ?? input.defaultApprovalMode,
    ...(used && {
      context: {
        usedTokens: used.inputTokens + used.cacheReadTokens + used.cacheWriteTokens + used.outputTokens,
        windowTokens: input.contextWindow(model),
      },
      usageText: usageText(state.usage, input.priceOf && costText(state.spending, input.priceOf)),
    }),
    tasks: state.tasks,
    ...(state.queue.length > 0 && { queue: state.queue.map(queuedView) }),
    ...(wait && { wait }),
    ...(banner && input.readOnly === undefined && { banner }),
    ...(revert && input.readOnly === undefined && { revert }),
  };
}

/** The amber banner of an idle session that was cut, or nothing. */
export function bannerOf(
  state: SessionState,
  name: SessionStateName,
  facts?: BannerFacts,
  autoResume: AutoResumeMode = 'never',
): Banner | undefined {
  const action = offeredAction(name);
  const run = state.runs.at(-1);
  if (!action || !run || !hasWork(state) || state.reverts.open) return undefined;
  const error = run.end?.error;
  const endedAt = run.end?.at ?? 0;
  const isCompacted = state.conversation.some(({ type, at }) => type === 'history_compacted' && at >= endedAt);
  const remedy = remedyFor(error, run.model, isCompacted);
  const parked = name === 'failed' ? parkedBanner(error, state.autoResumes, autoResume) : undefined;
  const auto = autoText(state, name, autoResume);
  const problem = name === 'cancelled' ? undefined : error?.message;
  return {
    ...(parked ?? { ...withoutButton(bannerWords(name, cutStep(state), problem), remedy), action }),
    summary: doneText(state, facts),
    ...(auto !== undefined && { auto }),
    ...(facts && facts.running.length > 0 && { running: facts.running }),
    ...(facts?.ended && facts.ended.length > 0 && { ended: facts.ended }),
    ...(remedy && { remedy }),
  };
}

function doneText(state: SessionState, facts: BannerFacts | undefined): string {
  if (state.succeededSteps === 0 && state.artifacts.size === 0) return 'No step was finished yet';
  return [`${countOf(state.succeededSteps, 'step')} done`, ...safeText(state, facts)].join(' · ');
}

/** "4 artifacts intact, 1 changed": what is safe, in a few words. */
function safeText(state: SessionState, facts: BannerFacts | undefined): readonly string[] {
  const total = state.artifacts.size;
  if (total === 0) return [];
  if (!facts) return [`${countOf(total, 'artifact')} recorded`];
  const count = (verdict: string): number => [...facts.verdicts.values()].filter((found) => found === verdict).length;
  const [intact, changed, missing] = [count('intact'), count('changed'), count('missing')];
  const parts = [
    `${countOf(intact, 'artifact')} intact`,
    ...(changed > 0 ? [`${String(changed)} changed`] : []),
    ...(missing > 0 ? [`${String(missing)} missing`] : []),
  ];
  return [parts.join(', ')];
}

/** A command may be long; a title, a row and a notification have a line or two. */
const subjectLength = 80;

type BannerWords = Pick<Banner, 'title' | 'detail'>;

/** Where no step was cut, a failure is its own title: the first sentence says what happened, the rest what to do. */
function bannerWords(name: SessionStateName, step: Step | undefined, problem: string | undefined): BannerWords {
  if (step || name !== 'failed' || problem === undefined) {
    return { title: bannerTitle(name, step), ...(problem !== undefined && { detail: problem }) };
  }
  const end = problem.search(/\.\s/);
  if (end === -1) return { title: problem.replace(/\.$/, '') };
  return { title: problem.slice(0, end), detail: problem.slice(end + 1).trim() };
}

/** What the button says is not said beside it too. */
function withoutButton({ title, detail }: BannerWords, remedy: Remedy | undefined): BannerWords {
  return detail === undefined || detail === `${remedy?.label ?? ''}.` ? { title } : { title, detail };
}

function bannerTitle(name: SessionStateName, step: Step | undefined): string {
  const verb =
    name === 'interrupted'
      ? 'Interrupted'
      : name === 'failed'
        ? 'Failed'
        : name === 'timed_out'
          ? 'Timed out'
          : 'Stopped';
  if (!step) return name === 'failed' ? 'Failed' : `${verb} while the model was answering`;
  const waiting = step.status === 'waiting';
  const title = stepTitle(step.tool, step.input, waiting ? 'asks' : 'running');
  const subject = ellipsis(title.subject, subjectLength);
  return waiting
    ? `${verb} while waiting for you: ${title.verb.toLowerCase()} ${subject}`
    : `${verb} while ${title.verb.toLowerCase()} ${subject}`;
}

/**
 * "cut while running python tune.py, 4 min ago": one line for lists.
 * @param leftMs until a parked session can go on
 */
export function summaryLine(name: SessionStateName, cut: string | undefined, ageMs: number, leftMs?: number): string {
  const age = ageText(ageMs);
  if (leftMs !== undefined) return `${parkedWord}, ${parkedText(leftMs)}, ${age}`;
  if (offeredAction(name))
    return cut === undefined
      ? `${stateWords[name]}, ${age}`
      : `${stateWords[name]} while ${ellipsis(cut, subjectLength)}, ${age}`;
  return name === 'running' ? 'running' : `${stateWords[name]}, ${age}`;
}

/** "3 sessions from …/work/ml": sessions of a folder that is gone, by the path that it had. `to`: where several are open. */
export function adoptableText(count: number, from: string, to?: string): string {
  const names = from.split(/[\\/]/).filter((name) => name !== '');
  const short = names.length > 2 ? `…/${names.slice(-2).join('/')}` : from;
  return `${countOf(count, 'session')} from ${short}${to === undefined ? '' : `, for ${to}`}`;
}

export function runningTitle(step: Step): string {
  const title = stepTitle(step.tool, step.input, step.status === 'waiting' ? 'asks' : 'running');
  return `${title.verb.toLowerCase()} ${title.subject}`;
}

/** A message that waits, with what goes along counted in words: "2 images, 1 attachment". */
function queuedView({ messageId: id, text, images = [], attachments = [] }: QueuedMessage): QueuedView {
  const along = [
    ...(images.length > 0 ? [countOf(images.length, 'image')] : []),
    ...(attachments.length > 0 ? [countOf(attachments.length, 'attachment')] : []),
  ];
  return { id, text, ...(along.length > 0 && { along: along.join(', ') }) };
}
