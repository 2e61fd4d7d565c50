import assert from 'node:assert/strict';
import { sessionStates, type NewEvent, type RunOutcome, type SessionStateName } from '../../../src/core/events.ts';
import { foldEvents } from '../../../src/core/sessionFold.ts';
import { stateName, type SessionState } from '../../../src/core/sessionState.ts';
import { bannerOf, runningTitle, sessionView, stateWords, summaryLine } from '../../../src/projection/sessionView.ts';
import type { Banner, SessionView } from '../../../src/protocol/view.ts';
import { oneOfEach } from '../../support/fakes/oneOfEach.ts';
import { header, stamp } from '../core/events.ts';

const e = oneOfEach;
const fold = (...events: readonly NewEvent[]): SessionState => foldEvents(header, stamp(events));
const ended = (outcome: RunOutcome, error?: { readonly code: string; readonly message: string }): NewEvent => ({
  type: 'run_ended',
  runId: 'r1',
  outcome,
  ...(error && { error }),
});
const step = [e.run_started, e.assistant_message_completed, e.step_started] as const;

function view(
  state: SessionState,
  name: SessionStateName,
  more: Partial<Parameters<typeof sessionView>[0]> = {},
): SessionView {
  return sessionView({
    id: 's1',
    state,
    name,
    defaultModel: 'claude-sonnet-5-5',
    defaultApprovalMode: 'ask',
    contextWindow: () => 1_000_000,
    ...more,
  });
}

describe('session view: the header', () => {
  it('of a new session', () => {
    assert.deepEqual(view(fold(), 'created'), {
      id: 's1',
      title: 'New session',
      state: 'created',
      stateWord: 'new',
      needsUser: false,
      model: 'claude-sonnet-5-5',
      approvalMode: 'ask',
      tasks: [],
    });
  });

  it('of one that runs', () => {
    const state = fold(e.title_changed, e.approval_mode_changed, e.task_added, ...step);
    assert.deepEqual(view(state, 'running', { folderName: 'job' }), {
      id: 's1',
      title: 'Tune',
      state: 'running',
      stateWord: 'running',
      needsUser: false,
      runningSince: 5_000,
      folderName: 'job',
      model: 'claude-opus-4-8',
      approvalMode: 'acceptEdits',
      context: { usedTokens: 120, windowTokens: 1_000_000 },
      usageText: '100 tokens in, 20 out, 70 % from cache',
      tasks: [{ id: 't1', title: 'Tidy', status: 'pending' }],
    });
  });

  it('of one that waits for the user', () => {
    const state = fold(e.run_started, e.approval_requested);
    assert.equal(view(state, 'running').stateWord, 'needs you');
    assert.equal(view(state, 'interrupted').stateWord, 'interrupted');
  });

  it('has a word for each state', () => {
    assert.deepEqual(
      sessionStates.map((name) => stateWords[name]),
      ['new', 'running', 'done', 'failed', 'stopped', 'timed out', 'interrupted'],
    );
  });

  it('offers nothing when it cannot be driven from here', () => {
    const state = fold(...step, ended('cancelled'));
    assert.ok(view(state, 'cancelled').banner);
    const shown = view(state, 'cancelled', { readOnly: 'Another window runs it.' });
    assert.deepEqual([shown.banner, shown.readOnly], [undefined, 'Another window runs it.']);
  });
});

describe('session view: what is safe', () => {
  const cut = fold(
    ...step,
    {
      ...e.step_finished,
      artifacts: ['a', 'b', 'c'].map((path) => ({ path, change: 'created' as const, size: 1, sha256: 'x' })),
    },
    ended('cancelled'),
  );

  it('counts the artifacts as they were found, and names what still runs', () => {
    const running = [{ key: 'j1', command: 'make all', startedAt: 5 }];
    const verdicts = new Map([
      ['a', 'intact'],
      ['b', 'changed'],
      ['c', 'missing'],
    ] as const);
    const banner = bannerOf(cut, 'cancelled', { verdicts, running });
    assert.equal(banner?.summary, '1 step done · 1 artifact intact, 1 changed, 1 missing');
    assert.deepEqual(banner.running, running);
  });

  it('says only what is recorded until it was looked at', () => {
    const banner = bannerOf(cut, 'cancelled');
    assert.equal(banner?.summary, '1 step done · 3 artifacts recorded');
    assert.equal(banner.running, undefined);
  });
});

describe('session view: the banner', () => {
  const failed = { code: 'key_refused', message: 'The key was refused. Set another key.' };
  const unreachable = {
    code: 'unreachable',
    message: 'No server answered at http://localhost:11434. Check the network, or start the server.',
  };
  const rows: readonly (readonly [string, SessionState, Banner | undefined])[] = [
    ['nothing for a new session', fold(), undefined],
    ['nothing for one that is done', fold(...step, e.step_finished, ended('done')), undefined],
    [
      'stopped in a step',
      fold(...step, { ...e.step_finished, outcome: 'cancelled', artifacts: [] }, ended('cancelled')),
      { title: 'Stopped while running make', summary: 'No step was finished yet', action: 'resume' },
    ],
    [
      'stopped while the model answered, after a step',
      fold(...step, e.step_finished, ended('cancelled')),
      {
        title: 'Stopped while the model was answering',
        summary: '1 step done · 1 artifact recorded',
        action: 'resume',
      },
    ],
    [
      'stopped while it asked',
      fold(e.run_started, e.assistant_message_completed, e.approval_requested, ended('cancelled')),
      {
        title: 'Stopped while waiting for you: wants to run make',
        summary: 'No step was finished yet',
        action: 'resume',
      },
    ],
    [
      'failed, with what helps, which the button says',
      fold(e.run_started, e.user_message_added, ended('failed', failed)),
      {
        title: 'The key was refused',
        summary: 'No step was finished yet',
        action: 'retry',
        remedy: { label: 'Set another key', command: 'setApiKey' },
      },
    ],
    [
      'failed, with more to do than its button says',
      fold(e.run_started, e.user_message_added, ended('failed', unreachable)),
      {
        title: 'No server answered at http://localhost:11434',
        summary: 'No step was finished yet',
        detail: 'Check the network, or start the server.',
        action: 'retry',
        remedy: { label: 'Check connection', command: 'checkConnection' },
      },
    ],
    [
      'failed in a step, with nothing that would help',
      fold(...step, ended('failed', { code: 'storage', message: 'The disk is full.' })),
      {
        title: 'Failed while running make',
        summary: 'No step was finished yet',
        detail: 'The disk is full.',
        action: 'retry',
      },
    ],
    [
      'timed out',
      fold(
        ...step,
        { ...e.step_finished, outcome: 'timed_out', artifacts: [] },
        ended('timed_out', { code: 'time_limit', message: 'The limit was reached.' }),
      ),
      {
        title: 'Timed out while running make',
        summary: 'No step was finished yet',
        detail: 'The limit was reached.',
        action: 'resume',
      },
    ],
    [
      'interrupted',
      fold(...step),
      { title: 'Interrupted while running make', summary: 'No step was finished yet', action: 'resume' },
    ],
  ];
  for (const [what, state, banner] of rows) {
    it(what, () => {
      assert.deepEqual(bannerOf(state, stateName(state, false)), banner);
    });
  }

  it('is not there while it runs', () => {
    assert.equal(bannerOf(fold(...step), 'running'), undefined);
  });
});

describe('session view: one line for lists', () => {
  it('says what was cut and when', () => {
    const lines = sessionStates.map((name) => summaryLine(name, 'running make', 240_000));
    assert.deepEqual(lines, [
      'new, 4 min ago',
      'running',
      'done, 4 min ago',
      'failed while running make, 4 min ago',
      'stopped while running make, 4 min ago',
      'timed out while running make, 4 min ago',
      'interrupted while running make, 4 min ago',
    ]);
    assert.equal(summaryLine('failed', undefined, 0), 'failed, just now');
  });

  it('names the step that goes on', () => {
    const running = fold(...step).steps.get('c1');
    const waiting = fold(e.assistant_message_completed, e.approval_requested).steps.get('c1');
    assert.ok(running && waiting);
    assert.deepEqual([runningTitle(running), runningTitle(waiting)], ['running make', 'wants to run make']);
  });
});
