// Whether a session goes on by itself: the decision, and what it needs of the past. Pure: the clock, the setting and the
// trust are passed in.
import { unreachable } from './errors.ts';
import type { EventOf, SessionEvent, SessionStateName } from './events.ts';

export const autoResumeModes = ['never', 'ask', 'always'] as const;
export type AutoResumeMode = (typeof autoResumeModes)[number];

/** How often in a row the session was resumed by itself. A message or a resume by the user begins anew. */
export interface AutoResumes {
  /** Since a step was finished. */
  readonly sinceStep: number;
  /** Since a step was finished or the model answered. */
  readonly sinceAnything: number;
  /** How often in a row a run ended since the server or the network failed for as long as it tried. */
  readonly parks?: number;
  /** How many of these answered, and broke off: they cost something. */
  readonly brokenParks?: number;
  /** It came in a file, and nobody here has gone on with it yet. */
  readonly isImported?: true;
}

export const noAutoResumes: AutoResumes = { sinceStep: 0, sinceAnything: 0 };
const mostInARow = 3;
/** With the waits between them that is a day. */
const mostParks = 24;
const mostBrokenParks = 3;
const brokenOff: ReadonlySet<string> = new Set(['stream_cut', 'stalled', 'bad_response']);
/** Who comes back after a day may have other plans: nothing is spent without a word. */
const oldMs = 24 * 3_600_000;

export function foldAutoResumes(before: AutoResumes, event: SessionEvent): AutoResumes {
  switch (event.type) {
    case 'session_imported':
      return { ...noAutoResumes, isImported: true };
    case 'session_resumed':
      if (!event.auto) return noAutoResumes;
      return { ...before, sinceStep: before.sinceStep + 1, sinceAnything: before.sinceAnything + 1 };
    case 'run_started':
      return event.cause === 'message' ? noAutoResumes : before;
    case 'assistant_message_completed':
      return before.sinceAnything === 0 && before.parks === undefined
        ? before
        : { ...withoutParks(before), sinceAnything: 0 };
    case 'run_ended':
      return foldEnd(before, event);
    case 'step_finished':
      // Closing what an interruption cut gets nobody further.
      return event.outcome === 'succeeded' || event.outcome === 'failed' ? noAutoResumes : before;
    default:
      return before;
  }
}

/** A run that could not get through has spent nothing: it counts as parked and not as one that got nowhere. */
function foldEnd(before: AutoResumes, { error }: EventOf<'run_ended'>): AutoResumes {
  if (error?.triedMs === undefined) return before;
  const { parks = 0, brokenParks = 0 } = before;
  return {
    ...before,
    sinceStep: Math.max(0, before.sinceStep - 1),
    sinceAnything: Math.max(0, before.sinceAnything - 1),
    parks: parks + 1,
    brokenParks: brokenParks + (brokenOff.has(error.code) ? 1 : 0),
  };
}

function withoutParks({ parks: _parks, brokenParks: _broken, ...rest }: AutoResumes): AutoResumes {
  return rest;
}

/** Why it does not go on by itself, in the user's words; undefined when it may. */
export function autoResumeGuard(resumes: AutoResumes): string | undefined {
  const { sinceStep, sinceAnything, isImported, parks = 0, brokenParks = 0 } = resumes;
  if (isImported) return 'Not resumed by itself: it was imported. Look at it, then resume.';
  if (brokenParks >= mostBrokenParks)
    return 'Not resumed by itself again: the answers keep breaking off. Look at it, then resume.';
  if (parks >= mostParks)
    return 'Not resumed by itself again: no request got through for a day. Look at it, then resume.';
  if (sinceAnything > 0)
    return 'Not resumed by itself again: nothing was finished since the last time. Look at it, then resume.';
  if (sinceStep >= mostInARow)
    return `Not resumed by itself again: no step was finished in ${String(mostInARow)} resumes in a row. Look at it, then resume.`;
  return undefined;
}

export interface AutoResumeInput {
  readonly mode: AutoResumeMode;
  readonly name: SessionStateName;
  /** When the server takes requests again, for a run that ended because of that. Milliseconds since 1970. */
  readonly retryAt?: number;
  /** There is something to go on with, in a folder where things may run. */
  readonly mayRun: boolean;
  readonly resumes: AutoResumes;
  /** Of the last record, in milliseconds since 1970. */
  readonly lastAt: number;
  readonly now: number;
}

export type AutoResumeVerdict =
  | { readonly kind: 'no' }
  | { readonly kind: 'wait'; readonly until: number }
  | { readonly kind: 'ask' }
  | { readonly kind: 'resume' }
  | { readonly kind: 'held'; readonly why: string };

/** What becomes of a session that nobody runs. A run that the user stopped, or that failed for good, is never touched. */
export function autoResumeVerdict(input: AutoResumeInput): AutoResumeVerdict {
  const { mode, name, retryAt, now } = input;
  if (!input.mayRun || mode === 'never') return { kind: 'no' };
  const parkedUntil = name === 'failed' ? retryAt : undefined;
  if (name !== 'interrupted' && parkedUntil === undefined) return { kind: 'no' };
  if (parkedUntil !== undefined && parkedUntil > now) return { kind: 'wait', until: parkedUntil };
  const isOld = now - (parkedUntil ?? input.lastAt) > oldMs;
  switch (mode) {
    case 'ask':
      return { kind: isOld && parkedUntil !== undefined ? 'no' : 'ask' };
    case 'always': {
      if (isOld) return { kind: 'ask' };
      const why = autoResumeGuard(input.resumes);
      return why === undefined ? { kind: 'resume' } : { kind: 'held', why };
    }
    default:
      return unreachable(mode);
  }
}
