// Every state the panel can be in, as the snapshot that would bring it there.
import type { HostMessage } from '../../src/protocol/messages.ts';
import type { Banner, PanelView, SessionSummaryView, SessionView, TranscriptItem } from '../../src/protocol/view.ts';
import { cutCards, oneAsks, oneDone, sideBySide } from './agents.ts';
import {
  assistant,
  divider,
  editedTrain,
  failedTests,
  manyItems,
  notice,
  opened,
  ranCheck,
  richAnswer,
  runningTune,
  step,
  thinking,
  trainDiff,
  tuneLines,
  user,
  workUntilTuning,
} from './items.ts';

type Snapshot = Extract<HostMessage, { type: 'snapshot' }>;
const minute = 60_000;

const tasks: SessionView['tasks'] = [
  { id: '1', title: 'Check the data', status: 'completed' },
  { id: '2', title: 'Train the baseline', status: 'completed' },
  { id: '3', title: 'Mend the tests', status: 'completed' },
  { id: '4', title: 'Tune with 50 trials', status: 'in_progress' },
  { id: '5', title: 'Write the report', status: 'pending' },
];

const session: SessionView = {
  id: 's1',
  title: 'Train baseline and tune',
  state: 'running',
  stateWord: 'running',
  needsUser: false,
  runningSince: opened - 20 * minute,
  model: 'claude-sonnet-5-5',
  approvalMode: 'ask',
  context: { usedTokens: 24_310, windowTokens: 200_000 },
  usageText: '112,304 tokens in, 12,101 out, 91 % from cache',
  tasks,
};

const sessions: readonly SessionSummaryView[] = [
  {
    id: 's1',
    title: 'Train baseline and tune',
    state: 'interrupted',
    stateWord: 'interrupted',
    description: 'while running python tune.py',
    needsUser: false,
    updatedAt: opened - 4 * minute,
    resumable: true,
  },
  {
    id: 's2',
    title: 'Move the settings page to the new router and delete what nobody calls any more',
    state: 'running',
    stateWord: 'needs you',
    description: '',
    needsUser: true,
    updatedAt: opened - minute / 2,
    resumable: false,
  },
  {
    id: 's3',
    title: 'Why is the import slow?',
    state: 'done',
    stateWord: 'done',
    description: '',
    needsUser: false,
    updatedAt: opened - 3 * 60 * minute,
    resumable: false,
  },
  {
    id: 's4',
    title: 'Nightly report',
    state: 'failed',
    stateWord: 'failed',
    description: '',
    needsUser: false,
    updatedAt: opened - 40 * 60 * minute,
    resumable: true,
  },
];

const panel: PanelView = {
  screen: 'session',
  source: { kind: 'anthropic', text: 'Key from the secret storage' },
  folders: [{ uri: 'file:///home/dev/ml', name: 'ml' }],
  approvalMode: 'ask',
  models: ['claude-sonnet-5-5', 'claude-opus-5-5', 'claude-haiku-5-5'],
  session,
  sessions,
};

function snapshot(
  changes: Partial<PanelView>,
  items: readonly TranscriptItem[] = [],
  more: Partial<Snapshot> = {},
): Snapshot {
  return { type: 'snapshot', revision: 1, panel: { ...panel, ...changes }, items, earlier: 0, live: [], ...more };
}

function inSession(
  changes: Partial<SessionView>,
  items: readonly TranscriptItem[],
  more: Partial<Snapshot> = {},
): Snapshot {
  return snapshot({ session: { ...session, ...changes } }, items, more);
}

function screenOf(changes: Partial<PanelView>): Snapshot {
  const { session: _none, ...rest } = panel;
  return { ...snapshot({}), panel: { ...rest, ...changes } };
}

function cut(state: SessionView['state'], stateWord: string, banner: Banner, last: TranscriptItem): Snapshot {
  return inSession({ state, stateWord, banner }, [...workUntilTuning(), last]);
}

const cutTune = (): TranscriptItem =>
  step({ status: 'cut', verb: 'Was running', subject: 'python tune.py --trials 50' });
const stoppedTune = (): TranscriptItem =>
  step({ status: 'stopped', verb: 'Stopped', subject: 'python tune.py --trials 50', durationMs: 161_000 });

const longName =
  'apps/administration/src/features/organisation-settings/components/organisationSettingsMembershipTable.spec.tsx';

/** By the name in the address: `?view=running`. Made afresh each time. */
export const views = {
  'empty-no-model': () => screenOf({ screen: 'empty', source: { kind: 'none', text: 'No model yet' }, sessions: [] }),
  'empty-sessions': () => screenOf({ screen: 'empty' }),
  'empty-demo': () =>
    screenOf({
      screen: 'empty',
      source: { kind: 'demo', text: 'Offline demo: a script, not a model' },
      folders: [
        { uri: 'file:///home/dev/ml', name: 'ml' },
        { uri: 'file:///home/dev/api', name: 'api-server' },
      ],
      folder: 'file:///home/dev/api',
      sessions: sessions.slice(0, 2).map((each) => ({ ...each, folderName: 'api-server' })),
    }),
  adoptable: () =>
    screenOf({
      screen: 'empty',
      adoptable: [{ folder: 'file:///home/dev/ml', from: '/home/dev/old/ml', text: '3 sessions from …/old/ml' }],
    }),
  'no-folder': () => screenOf({ screen: 'no_folder', sessions: [] }),
  untrusted: () => screenOf({ screen: 'untrusted' }),
  running: () => {
    const tune = runningTune();
    return inSession({ folderName: 'ml' }, [...workUntilTuning(), tune], { live: [{ id: tune.id, lines: tuneLines }] });
  },
  streaming: () =>
    inSession({ tasks: [] }, [
      user('What did the tuning find?'),
      thinking('The numbers are in the log of the last step.', true),
      assistant(richAnswer.slice(0, 900), { streaming: true }),
    ]),
  'approve-command': () =>
    inSession({ stateWord: 'needs you', needsUser: true }, [
      ...workUntilTuning(),
      step({
        status: 'waiting',
        verb: 'Wants to run',
        subject: 'pip install optuna==4.5.0 && python tune.py --trials 50 --out models/best.joblib',
        preview: {
          language: 'shell',
          text: 'pip install optuna==4.5.0 \\\n  && python tune.py --trials 50 --out models/best.joblib',
        },
      }),
    ]),
  'approve-diff': () =>
    inSession({ stateWord: 'needs you', needsUser: true, approvalMode: 'ask' }, [
      user('Mend the leak in the scaler.'),
      assistant('The scaler is fitted before the split. One edit mends it.'),
      step({
        status: 'waiting',
        verb: 'Wants to edit',
        subject: 'src/models/train.py',
        path: 'src/models/train.py',
        note: 'Your unsaved changes in this file are saved first.',
        preview: { language: 'diff', text: trainDiff },
        input: { language: 'diff', text: trainDiff },
      }),
    ]),
  agents: () => inSession({}, sideBySide()),
  'agents-ask': () => inSession({ stateWord: 'needs you', needsUser: true }, oneAsks()),
  'agents-cut': () =>
    inSession(
      {
        state: 'interrupted',
        stateWord: 'interrupted',
        banner: {
          title: 'Interrupted while running python tune.py',
          summary: '11 steps done · 1 artifact intact',
          action: 'resume',
        },
      },
      cutCards(),
    ),
  'agents-done': () => inSession({ state: 'done', stateWord: 'done' }, oneDone()),
  failed: () =>
    cut(
      'failed',
      'failed',
      {
        title: 'The key was refused',
        summary: '9 steps done · 3 artifacts recorded',
        detail: 'The service answered that the key is not valid. Set another key, then retry.',
        action: 'retry',
        remedy: { label: 'Set API key', command: 'setApiKey' },
      },
      notice('error', 'The key was refused. Set another key.'),
    ),
  cancelled: () =>
    cut(
      'cancelled',
      'stopped',
      { title: 'Stopped while running tune.py', summary: '9 steps done · 3 artifacts intact', action: 'resume' },
      stoppedTune(),
    ),
  'timed-out': () =>
    cut(
      'timed_out',
      'timed out',
      {
        title: 'The time limit of 2 h was reached while running tune.py',
        summary: '9 steps done · 3 artifacts intact',
        detail: 'The limit is the setting ratchet.run.timeLimitMinutes.',
        action: 'resume',
        remedy: { label: 'Settings', command: 'openSettings' },
      },
      stoppedTune(),
    ),
  interrupted: () =>
    cut(
      'interrupted',
      'interrupted',
      {
        title: 'Interrupted while running tune.py',
        summary: '9 steps done · 3 artifacts intact · tune.py still running',
        action: 'resume',
      },
      cutTune(),
    ),
  resumed: () => {
    const tune = { ...runningTune(), note: 'picked up again: it went on while the window was closed' };
    return inSession(
      {},
      [
        ...workUntilTuning(),
        cutTune(),
        divider('resumed · 9 steps kept, 1 running', `Go on from where you were.\n\n${trainDiff}`),
        step({
          status: 'succeeded',
          verb: 'Ran',
          subject: 'python check.py',
          durationMs: 0,
          note: 'done before, artifacts verified',
        }),
        tune,
      ],
      { live: [{ id: tune.id, lines: tuneLines }] },
    );
  },
  done: () =>
    inSession({ state: 'done', stateWord: 'done', tasks: tasks.map((task) => ({ ...task, status: 'completed' })) }, [
      ...workUntilTuning(),
      step({
        status: 'succeeded',
        verb: 'Ran',
        subject: 'python tune.py --trials 50',
        durationMs: 312_000,
        exitCode: 0,
        artifacts: [{ path: 'models/best.joblib', change: 'created' }],
      }),
      assistant('The tuned model reaches **0.912**. It is in `models/best.joblib`.'),
      divider('done · 11 steps in 6 min 02 s', '112,304 tokens in, 12,101 out, 91 % from cache'),
    ]),
  rich: () =>
    inSession({ state: 'done', stateWord: 'done', tasks: [] }, [
      user('What did the tuning find?'),
      assistant(richAnswer),
    ]),
  errors: () =>
    inSession({ state: 'failed', stateWord: 'failed' }, [
      user('Run everything.'),
      failedTests(),
      step({ status: 'denied', verb: 'Denied', subject: 'rm -rf build', problem: 'You said: keep the build folder' }),
      step({ status: 'not_started', verb: 'Did not run', subject: 'npm test' }),
      cutTune(),
      assistant('The tests fail because the module', { cut: true }),
      notice('warning', 'The service was busy. Trying again in 12 s.'),
      notice('error', 'The connection was lost three times. Check the network, then retry.'),
      notice('info', '2 lines of the trace could not be read and were skipped.'),
    ]),
  'long-names': () =>
    inSession(
      {
        title:
          'Rename every occurrence of organisationSettingsMembershipTable to membershipTable in all of the packages',
        folderName: 'a-workspace-folder-with-a-very-long-name',
        model: 'anthropic/claude-sonnet-5-5-20260914-experimental',
      },
      [
        user(
          `Rename ${longName} everywhere, and averyveryveryveryveryveryveryverylongwordwithoutanybreakinitatall too.`,
        ),
        step({
          status: 'succeeded',
          verb: 'Edited',
          subject: longName,
          path: longName,
          lines: { added: 1204, removed: 1187 },
          durationMs: 70,
        }),
        step({
          status: 'failed',
          verb: 'Ran',
          subject: `npx jest ${longName} --runInBand --coverage --reporters=default`,
          exitCode: 127,
          durationMs: 3_723_000,
          problem: `Error: Cannot find module '${longName}' from the folder that it was started in`,
        }),
        { ...runningTune(), subject: `node scripts/${longName}` },
      ],
    ),
  'read-only': () =>
    inSession(
      {
        readOnly: 'Another window runs this session. It can be read here.',
        problem: '2 lines of the trace could not be read.',
      },
      [...workUntilTuning(), runningTune()],
    ),
  long: () => {
    const tune = runningTune();
    return inSession({}, [...manyItems(499), tune], { earlier: 9500, live: [{ id: tune.id, lines: tuneLines }] });
  },
  opened: () =>
    inSession({ state: 'done', stateWord: 'done' }, [
      user('Check the data, then train.'),
      ranCheck(),
      editedTrain(),
      failedTests(),
    ]),
} as const satisfies Record<string, () => Snapshot>;

export type ViewName = keyof typeof views;
export function isViewName(name: string): name is ViewName {
  return Object.hasOwn(views, name);
}
