// A plan of a revert with every verdict, a long path and a command that still runs.
import type { RevertPlanView } from '../../src/protocol/view.ts';

export const revertPlan: RevertPlanView = {
  messageId: 'm1',
  lastSeq: 12,
  title: 'Revert to before "Tune it with 50 trials and write down what was best"',
  summary: 'Afterwards: 2 files restored, 1 file removed, 2 files left as they are.',
  files: [
    { path: 'train.py', verdict: 'restore', words: 'restored' },
    {
      path: 'packages/pipeline/src/transformations/normalise/aVeryLongFileNameThatDoesNotFit.py',
      verdict: 'restore',
      words: 'restored',
    },
    { path: 'results.csv', verdict: 'remove', words: 'removed' },
    { path: 'settings.yaml', verdict: 'left', words: 'left: changed since' },
    { path: 'model.bin', verdict: 'left', words: 'left: its content from before was not kept' },
  ],
  notes: [
    'The conversation goes back to before this message, and the message goes back into the input. The trace keeps everything, and the revert can be undone until the next message.',
    'A command changed more files than were recorded. Those others stay as they are.',
  ],
  running: [{ key: 'k1', command: 'python tune.py --trials 50 --seed 7 --out results.csv' }],
};
