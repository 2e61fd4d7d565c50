import assert from 'node:assert/strict';
import {
  autoResumeGuard,
  autoResumeVerdict,
  noAutoResumes,
  type AutoResumeInput,
  type AutoResumeVerdict,
} from '../../../src/core/autoResume.ts';
import type { NewEvent } from '../../../src/core/events.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import { oneOfEach as e } from '../../support/fakes/oneOfEach.ts';
import { header, stamp } from './events.ts';

const parked: AutoResumeInput = {
  mode: 'always',
  name: 'failed',
  retryAt: 10_000,
  mayRun: true,
  resumes: noAutoResumes,
  lastAt: 15_000,
  now: 20_000,
};

describe('auto-resume: what becomes of a session that nobody runs', () => {
  const { retryAt: _time, ...failed } = parked;
  const table: readonly (readonly [string, AutoResumeInput, AutoResumeVerdict['kind']])[] = [
    ['parked, its time has come', parked, 'resume'],
    ['parked, its time has come, to be asked', { ...parked, mode: 'ask' }, 'ask'],
    ['parked, its time has come, never', { ...parked, mode: 'never' }, 'no'],
    ['parked, before its time', { ...parked, now: 9_999 }, 'wait'],
    ['parked, just in time', { ...parked, now: 10_000 }, 'resume'],
    ['parked, in a folder that is not trusted', { ...parked, mayRun: false }, 'no'],
    ['failed for good', failed, 'no'],
    ['interrupted', { ...failed, name: 'interrupted' }, 'resume'],
    ['interrupted, to be asked', { ...failed, name: 'interrupted', mode: 'ask' }, 'ask'],
    ['parked until more than a day ago', { ...parked, now: 90_000_000 }, 'ask'],
    ['parked until more than a day ago, to be asked', { ...parked, mode: 'ask', now: 90_000_000 }, 'no'],
    ['interrupted more than a day ago', { ...failed, name: 'interrupted', now: 90_000_000 }, 'ask'],
    ['stopped by the user', { ...parked, name: 'cancelled' }, 'no'],
    ['timed out', { ...failed, name: 'timed_out' }, 'no'],
    ['running, here or elsewhere', { ...failed, name: 'running' }, 'no'],
    ['done', { ...failed, name: 'done' }, 'no'],
    ['without progress since', { ...parked, resumes: { sinceStep: 1, sinceAnything: 1 } }, 'held'],
    ['with answers and no step, twice', { ...parked, resumes: { sinceStep: 2, sinceAnything: 0 } }, 'resume'],
    ['with answers and no step, three times', { ...parked, resumes: { sinceStep: 3, sinceAnything: 0 } }, 'held'],
  ];
  for (const [what, input, expected] of table) {
    it(`${what}: ${expected}`, () => {
      assert.equal(autoResumeVerdict(input).kind, expected);
    });
  }
});

describe('auto-resume: what counts as getting further', () => {
  const { auto: _auto, ...byUser } = e.session_resumed;
  const auto: readonly NewEvent[] = [{ ...e.run_started, cause: 'resume' }, e.session_resumed];
  const held = (...events: NewEvent[]): boolean =>
    autoResumeGuard(foldEvents(header, stamp(events)).autoResumes) !== undefined;
  const step = (outcome: 'succeeded' | 'failed' | 'cut' | 'not_started' | 'denied'): NewEvent => ({
    type: 'step_finished',
    stepId: 's',
    outcome,
    content: 'x',
    isError: outcome !== 'succeeded',
  });

  it('a first one may always be', () => {
    assert.equal(held(e.run_started), false);
  });
  it('a question that waits for the user does not: it is resumed once', () => {
    assert.equal(held(e.run_started, e.approval_requested, ...auto, e.approval_requested), true);
  });
  it('closing what was cut does not', () => {
    for (const outcome of ['cut', 'not_started', 'denied'] as const) assert.equal(held(...auto, step(outcome)), true);
  });
  it('a finished step does, also one that failed', () => {
    for (const outcome of ['succeeded', 'failed'] as const) assert.equal(held(...auto, step(outcome)), false);
  });
  it('an answer does, but not three times without a step', () => {
    const answered = [...auto, e.assistant_message_completed];
    assert.equal(held(...answered, ...answered), false);
    assert.equal(held(...answered, ...answered, ...answered), true);
    assert.equal(held(...answered, ...answered, step('succeeded'), ...answered), false);
  });
  it('a message or a resume by the user begins anew', () => {
    assert.equal(held(...auto, { ...e.run_started, cause: 'resume' }, byUser), false);
    assert.equal(held(...auto, { ...e.run_started, cause: 'message' }), false);
  });
});
