// Every state the panel can be in, as the snapshot that would bring it there.
import { cutCards, oneAsks, oneDone, sideBySide } from './agents.ts';
import { cutCommands, doneCommands, withAttachments } from './composerExamples.ts';
import { longQuestion, oddQuestion, runningFileQuestion } from './oddQuestions.ts';
import { severalFolders, withNotices } from './linkViews.ts';
import { connectionViews } from './connections.ts';
import {
  assistant,
  divider,
  editedTrain,
  failedTests,
  manyItems,
  notice,
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
import {
  tasks,
  sessions,
  inSession,
  screenOf,
  cut,
  cutTune,
  stoppedTune,
  longName,
  withCommands,
  type Snapshot,
} from './screens.ts';
import { waits } from './waits.ts';

/** By the name in the address: `?view=running`. Made afresh each time. */
const compactedDetail = [
  '<conversation_summary>',
  'The beginning of this conversation is replaced by a summary, which you wrote yourself. What is listed as done is done: do not do it again.',
  '',
  '## Summary',
  'Goal: tune the baseline with 50 trials. Decisions: gradient boosting, depth 3 to 10. Files: tune.py, results.csv. Finished: trials 1 to 30, best 0.912. Next: trial 31.',
  '',
  '## Task list',
  '[x] t1 Train the baseline',
  '[~] t2 Tune it',
  '</conversation_summary>',
].join('\n');

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
      otherFolder: 'file:///home/dev/ml',
      sessions: sessions.slice(0, 2).map((each) => ({ ...each, folderName: 'api-server' })),
    }),
  'empty-editor': () =>
    screenOf({
      screen: 'empty',
      source: { kind: 'editor', text: 'Model of the editor: no thinking, no prompt cache, tokens estimated' },
      sessions: sessions.slice(0, 1),
    }),
  ...connectionViews,
  adoptable: () =>
    screenOf({
      screen: 'empty',
      adoptable: [{ folder: 'file:///home/dev/ml', from: '/home/dev/old/ml', text: '3 sessions from …/old/ml' }],
    }),
  'folders-long': severalFolders,
  notices: withNotices,
  'no-folder': () => screenOf({ screen: 'no_folder', sessions: [] }),
  untrusted: () => screenOf({ screen: 'untrusted' }),
  running: () => {
    const tune = runningTune();
    return inSession({ folderName: 'ml' }, [...workUntilTuning(), tune], { live: [{ id: tune.id, lines: tuneLines }] });
  },
  queued: () => {
    const tune = runningTune();
    const queue = [
      { id: 'q1', text: 'Use 80 trials, not 50, and keep the seed that the baseline had.' },
      { id: 'q2', text: 'Then write the report.\nKeep it short.' },
    ];
    return inSession({ queue }, [...workUntilTuning(), tune], { live: [{ id: tune.id, lines: tuneLines }] });
  },
  ...waits,
  reverted: () =>
    inSession(
      {
        state: 'done',
        stateWord: 'done',
        revert: {
          kind: 'undoable',
          title: 'Reverted',
          detail: '3 files restored, 1 left',
        },
      },
      [
        ...workUntilTuning(),
        divider('reverted to before "Tune it with 50 trials and write down what was best" · 3 files restored, 1 left'),
      ],
    ),
  'revert-cut': () =>
    inSession(
      {
        state: 'done',
        stateWord: 'done',
        revert: {
          kind: 'unfinished',
          title: 'A revert was cut in the middle',
          detail: '4 files to restore. Nothing else can run here until it is finished.',
        },
      },
      workUntilTuning(),
    ),
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
        always: {
          choices: [
            {
              key: 'pip install optuna==4.5.0 && python tune.py',
              rules: [
                {
                  code: 'pip install optuna==4.5.0 && python tune.py --trials 50 --out models/best.joblib',
                  after: 'exactly so',
                },
              ],
            },
          ],
        },
      }),
    ]),
  'approve-always': () =>
    inSession({ stateWord: 'needs you', needsUser: true }, [
      ...workUntilTuning(),
      step({
        status: 'succeeded',
        verb: 'Ran',
        subject: 'npm test',
        durationMs: 8_200,
        allowedBy: 'npm test …',
      }),
      step({
        status: 'waiting',
        verb: 'Wants to run',
        subject: 'npm run build:packages 2>&1 | tail -20',
        preview: { language: 'shell', text: 'npm run build:packages 2>&1 | tail -20' },
        always: {
          choices: [
            {
              key: 'npm run build:packages …, tail …',
              rules: [
                { code: 'npm run build:packages', after: 'with safe arguments' },
                { code: 'tail', after: 'with safe arguments' },
              ],
            },
            {
              key: 'npm run build:packages 2>&1 | tail -20',
              rules: [{ code: 'npm run build:packages 2>&1 | tail -20', after: 'exactly so' }],
            },
          ],
          note: 'Safe: known to load no code and to stay in this folder. Others are still asked about.',
        },
      }),
    ]),
  'approve-odd': oddQuestion,
  'approve-long': longQuestion,
  'approve-running-file': runningFileQuestion,
  'approve-never': () =>
    inSession({ stateWord: 'needs you', needsUser: true }, [
      user('Tag the release.'),
      step({
        status: 'waiting',
        verb: 'Wants to run',
        subject: 'git tag "v$(node -p process.env.npm_package_version)"',
        preview: { language: 'shell', text: 'git tag "v$(node -p process.env.npm_package_version)"' },
        always: {
          choices: [],
          none: 'It cannot be allowed always: it has a command substitution. You are asked each time.',
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
        always: {
          choices: [
            {
              key: 'edits of src/models/train.py',
              rules: [{ before: 'edits of', code: 'src/models/train.py' }],
            },
            { key: 'edits below src/models/', rules: [{ before: 'edits below', code: 'src/models/' }] },
          ],
        },
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
  interrupted: () => {
    const view = cut(
      'interrupted',
      'interrupted',
      {
        title: 'Interrupted while running tune.py',
        summary: '9 steps done · 3 artifacts intact · tune.py still running',
        action: 'resume',
      },
      cutTune(),
    );
    return withCommands(view, cutCommands);
  },
  'ended-meanwhile': () =>
    cut(
      'interrupted',
      'interrupted',
      {
        title: 'Interrupted while running tune.py',
        summary: '9 steps done · 3 artifacts intact',
        ended: [{ command: 'python tune.py --trials 50 --seed 7', how: 'exit 0' }],
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
  compacted: () =>
    inSession({ state: 'running', stateWord: 'running', context: { usedTokens: 9_120, windowTokens: 200_000 } }, [
      divider('older results shortened, 121,400 → 78,930 tokens', 'The model gets the beginning of each.'),
      ranCheck(),
      notice(
        'warning',
        'The server refused a part of this conversation: image exceeds 5 MB maximum. That part is left out of what is sent from here on; the trace keeps it.',
      ),
      divider('compaction was cut; it is done again when the session goes on'),
      divider('resumed · 312 steps kept'),
      divider('compacted: 312 steps summarised, 164,208 → 9,120 tokens', compactedDetail),
      assistant('The sweep goes on with trial 31; the first 30 are in `results.csv`.'),
      divider('compacting the conversation'),
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
  attachments: () =>
    inSession({ state: 'done', stateWord: 'done', tasks: [], commands: doneCommands }, [
      withAttachments(),
      assistant('The axis counts rows, not epochs: line 14 groups by the wrong column.'),
    ]),
  'read-only': () =>
    inSession(
      {
        readOnly: 'Another window is running this session. It can be watched and stopped here.',
        problem: '2 lines of the trace could not be read.',
      },
      [...workUntilTuning(), runningTune()],
    ),
  stopping: () =>
    inSession({ state: 'running', stateWord: 'stopping', isStopping: true }, [...workUntilTuning(), runningTune()]),
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
