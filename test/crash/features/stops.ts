// Runs that the user stops while a command runs: once with the command, once without it.
import { answerTo, command, linesOf, type Piece } from '../job.ts';
import { around, ofType, type Desk, type Feature } from './feature.ts';

const message = 'Do what I may stop.';
const turns: readonly (readonly Piece[])[] = [
  [command('ended', 'sleep 1; ')],
  [command('kept', 'sleep 1; ')],
  [command('done')],
];
const kinds = ['user', 'user_keep_command'] as const;

export const stops: Feature = {
  files: {},
  user: async (desk) => {
    const { session, goOn } = desk;
    stopEachOnce(desk);
    do await goOn(message);
    while (session.name !== 'done');
  },
  script: () => (body) => answerTo(body, turns),
  expected: { lines: linesOf(turns), tasks: [], title: message },
  places: [
    ['after_end_requested', 1],
    ['before_tree_ended', 1],
    ['after_tree_ended', 1],
    ...around({ run_ended: 3, step_finished: 3, step_continued: 1 }),
  ],
  broken: ({ records }) => {
    const stopped = ofType(records, 'run_ended').filter(({ outcome }) => outcome === 'cancelled');
    const seqs = new Set(stopped.map(({ runId }) => runId));
    const after = ofType(records, 'run_started').filter(({ cause }) => cause === 'message');
    return [
      ...(seqs.size === stopped.length ? [] : ['a run ended twice']),
      ...(after.length === 1 ? [] : [`${after.length} runs by a message`]),
    ];
  },
};

/** Each command is stopped in its sleep, unless it was already, on record. */
function stopEachOnce({ sessions, session, onRecord, records }: Desk): void {
  const stopOnce = async (line: string): Promise<void> => {
    const at = ['echo ended >>', 'echo kept >>'].findIndex((part) => line.includes(part));
    const begun = ofType(await records(), 'step_started').filter(
      ({ intent }) => intent?.kind === 'job' && intent.command === line,
    );
    const kind = kinds[at];
    if (kind !== undefined && begun.length === 1) await sessions.stop(session.id, kind);
  };
  onRecord((event) => {
    if (event.type === 'step_started' && event.intent?.kind === 'job') void stopOnce(event.intent.command);
  });
}
