// Agents' cards for the gallery: at work side by side, asking, done, cut. What is inside is what the host would answer.
import type { AgentCard, StepItem, TranscriptItem } from '../../src/protocol/view.ts';
import {
  assistant,
  divider,
  editedTrain,
  failedTests,
  opened,
  ranCheck,
  runningTune,
  step,
  trainDiff,
  user,
} from './items.ts';

type Parts = Omit<Partial<StepItem>, 'agent'> &
  Pick<StepItem, 'status'> & { readonly agent: Partial<AgentCard> & Pick<AgentCard, 'name'> };

function card({ agent, ...parts }: Parts): StepItem {
  const full: AgentCard = { model: 'claude-haiku-5-5', steps: 0, waiting: [], ...agent };
  const verb =
    parts.status === 'running' ? 'Delegating to' : parts.status === 'cut' ? 'Was delegating to' : 'Delegated to';
  return { ...step({ verb, subject: `${full.name}: ${full.label ?? ''}`, ...parts }), agent: full };
}

export const findings = `Three callers of \`load()\` are left:

- \`src/models/train.py:14\`
- \`src/models/tune.py:31\`
- \`tests/test_load.py:8\`

Nothing else names it.`;

const explored = (): StepItem =>
  card({
    status: 'succeeded',
    durationMs: 41_000,
    agent: { name: 'explore', label: 'Find callers of load', steps: 7 },
    result: { text: findings, truncated: false },
  });
const atWork = (): StepItem =>
  card({
    status: 'running',
    startedAt: opened - 161_000,
    agent: {
      name: 'work',
      label: 'Move the loader to the new module',
      steps: 4,
      now: { verb: 'Running', subject: 'python tune.py --trials 50 --out models/best.joblib' },
    },
  });
const thinks = (): StepItem =>
  card({
    status: 'running',
    startedAt: opened - 12_000,
    agent: { name: 'explore', label: 'Look for old settings', steps: 0 },
  });
const asks = (): StepItem =>
  card({
    status: 'running',
    startedAt: opened - 65_000,
    agent: {
      name: 'migration-reviewer',
      label: 'Check the migrations of every package in the repository',
      steps: 12,
      waiting: [
        step({
          status: 'waiting',
          verb: 'Wants to edit',
          subject: 'src/models/train.py',
          path: 'src/models/train.py',
          preview: { language: 'diff', text: trainDiff },
        }),
      ],
    },
  });

export const cutCards = (): readonly TranscriptItem[] => [
  user('Find the callers, and move the loader.'),
  explored(),
  card({ status: 'cut', agent: { name: 'work', label: 'Move the loader to the new module', steps: 4 } }),
];

/** A transcript with cards in it, and what is inside of each. */
export const sideBySide = (): readonly TranscriptItem[] => [
  user('Find the callers of load(), move it to its own module, and check the migrations.'),
  assistant('Three parts that do not depend on each other: I hand them out.'),
  explored(),
  atWork(),
  thinks(),
  card({
    status: 'failed',
    durationMs: 8_000,
    problem: 'The agent did not come to its end. The model declined to answer.',
    agent: { name: 'work', label: 'Write the report', steps: 1 },
    result: { text: 'The agent did not come to its end. The model declined to answer.', truncated: false },
  }),
];
export const oneAsks = (): readonly TranscriptItem[] => [
  user('Check the migrations, and find the callers.'),
  atWork(),
  asks(),
];
export const oneDone = (): readonly TranscriptItem[] => [
  user('Move the loader.'),
  card({
    status: 'succeeded',
    durationMs: 312_000,
    agent: { name: 'work', label: 'Move the loader', steps: 4 },
    result: { text: findings, truncated: false },
    artifacts: [{ path: 'src/models/train.py', change: 'changed', stepId: 'any', added: 12, removed: 3 }],
  }),
  assistant('The loader has its own module now.'),
];

/** What the host answers when a card is opened. */
export function insideOfCard(): readonly TranscriptItem[] {
  return [
    {
      kind: 'user',
      id: 'task',
      at: opened,
      text: 'Move load() from train.py to loader.py. Change all callers and run the tests.',
      author: 'Task',
    },
    assistant('I look at the callers first.'),
    ranCheck(),
    editedTrain(),
    failedTests(),
    divider('resumed'),
    runningTune(),
  ];
}
