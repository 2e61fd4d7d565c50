// Going back to before a message, the undo of it, a fork, and going back for good.
import { basename } from 'node:path';
import type { SessionEvent } from '../../../src/core/events.ts';
import type { MessagesBody } from '../../support/messagesServer/requestSchema.ts';
import { answerTo, call, linesOf, type Piece } from '../job.ts';
import { around, ofType, type Desk, type Feature } from './feature.ts';

const said = { first: 'Do the first part.', second: 'Do the second part.', third: 'Do the third part.' } as const;
const first: readonly (readonly Piece[])[] = [
  [call('read', { file_path: 'a.txt' }), call('read', { file_path: 'b.txt' })],
  [call('edit', { file_path: 'b.txt', old_string: 'old', new_string: 'first' })],
];
const second: readonly (readonly Piece[])[] = [
  [
    call('edit', { file_path: 'a.txt', old_string: 'old', new_string: 'second' }),
    call('edit', { file_path: 'b.txt', old_string: 'first', new_string: 'second' }),
    call('write', { file_path: 'made.md', content: 'second\n' }),
    call('run_command', { command: 'echo second > made.txt' }),
  ],
];
const third: readonly (readonly Piece[])[] = [[call('write', { file_path: 'third.md', content: 'third\n' })]];

export const revert: Feature = {
  files: { 'a.txt': 'old\n', 'b.txt': 'old\n' },
  user: async (desk) => {
    const { sessions, session, goOn } = desk;
    const { id } = session;
    if (session.state.reverts.open) await sessions.finishRevert(id);
    await goOn(said.first);
    const counts = async (): Promise<readonly [number, number]> => {
      const records = await desk.records();
      return [ofType(records, 'history_reverted').length, ofType(records, 'revert_undone').length];
    };
    if ((await counts())[0] === 0) {
      await goOn(said.second);
      await goBack(desk);
    }
    if ((await counts())[1] === 0) await sessions.undoRevert(id);
    if ((await counts())[0] === 1) {
      if ((await sessions.list(session.folder.uri)).length === 1) await sessions.fork(id, await secondMessage(desk));
      await goBack(desk);
    }
    await goOn(said.third);
  },
  script: () => (body) => answerTo(body, wantedBy(body)),
  expected: { lines: linesOf([...first, ...second, ...third]), tasks: [], title: said.first },
  places: [
    ...around({ revert_started: 3, history_reverted: 2, revert_undone: 1 }),
    ['before_file_removed', 4],
    ['after_file_removed', 4],
    ['before_fork_named', 1],
    // Those of the edits come first; then two files each way.
    ...(['before_replace_renamed', 'after_replace_renamed'] as const).map((point) => [point, 12] as const),
    ['before_content_kept', 8],
    ['after_content_kept', 8],
  ],
  broken: ({ records, others, server, files }) => {
    const ends = [...ofType(records, 'history_reverted'), ...ofType(records, 'revert_undone')];
    const starts = ofType(records, 'revert_started');
    const lastBody = JSON.stringify(server.messageRequests.at(-1)?.body ?? null);
    return [
      ...starts
        .filter(({ revertId }) => ends.filter((end) => end.revertId === revertId).length !== 1)
        .map(({ revertId }) => `${revertId} has no one end`),
      ...(starts.length === 3 ? [] : [`${starts.length} reverts`]),
      ...ends.flatMap(({ left }) => left.map(({ path, why }) => `${path} was left: ${why}`)),
      ...(['made.md', 'made.txt'] as const).filter((name) => files.has(name)).map((name) => `${name} is still there`),
      ...(lastBody.includes(said.second) ? ['what was reverted is sent'] : []),
      ...(others.length === 1 ? [] : [`${others.length} forks`]),
      ...others.filter((fork) => !isWholeFork(fork)).map(() => 'a fork is not whole'),
    ];
  },
};

async function goBack(desk: Desk): Promise<void> {
  const { sessions, session } = desk;
  const messageId = await secondMessage(desk);
  const { lastSeq } = await sessions.planRevert(session.id, messageId);
  await sessions.revert(session.id, messageId, lastSeq);
}

async function secondMessage({ session, records }: Desk): Promise<string> {
  const message = ofType(await records(), 'user_message_added').find(({ text }) => text === said.second);
  if (!message) throw new Error(`${basename(session.id)} has no second message`);
  return message.messageId;
}

function wantedBy({ messages }: MessagesBody): readonly (readonly Piece[])[] {
  const sent = JSON.stringify(messages);
  const parts: readonly (readonly [string, readonly (readonly Piece[])[]])[] = [
    [said.first, first],
    [said.second, second],
    [said.third, third],
  ];
  return parts.flatMap(([words, turns]) => (sent.includes(words) ? turns : []));
}

function isWholeFork(records: readonly SessionEvent[]): boolean {
  return (
    ofType(records, 'session_forked').length === 1 &&
    ofType(records, 'user_message_added').length === 1 &&
    records.at(-1)?.type === 'title_changed'
  );
}
