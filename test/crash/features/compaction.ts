// A conversation that the user has compacted outside of a run: refused once, then done, then gone on with.
import { crashPoint } from '../../../src/platform/crashPoint.ts';
import { httpError, message, text } from '../../support/messagesServer/reply.ts';
import { isSummaryRequest } from '../../support/session/summaryRequests.ts';
import { answerTo, call, command, linesOf, summaryOf, type Piece } from '../job.ts';
import { around, ofType, type Feature } from './feature.ts';

const first = 'Do the first part.';
const second = 'Do the second part.';
const line = 'a line that is long enough to count for something\n';
const before: readonly (readonly Piece[])[] = [
  [call('read', { file_path: 'long.txt' })],
  [command('before')],
  [call('read', { file_path: 'long.txt', view_range: [1, 20] })],
];
const after: readonly (readonly Piece[])[] = [[command('after')]];

export const compaction: Feature = {
  files: { 'long.txt': line.repeat(200) },
  user: async ({ sessions, session, records, goOn, rest }) => {
    await goOn(first);
    while (ofType(await records(), 'history_compacted').length === 0) {
      await sessions.compact(session.id);
      await rest();
    }
    await goOn(second);
  },
  script: () => {
    let refused = false;
    return (body) => {
      const saysMore = JSON.stringify(body.messages).includes(second);
      if (!isSummaryRequest(body)) return answerTo(body, saysMore ? [...before, ...after] : before);
      if (!refused) {
        refused = true;
        return httpError(400, { message: 'no summaries at this moment' });
      }
      return { ...message([text(`${'A few words first. '.repeat(20)}\n${summaryOf(body)}`)]), msPerDelta: 2 };
    };
  },
  expected: { lines: linesOf([...before, ...after]), tasks: [], title: first },
  places: [
    ...around({ compaction_started: 2, compaction_failed: 1, history_compacted: 1 }),
    ['test_before_summary', 2],
    ['test_summary_streaming', 8],
    ['test_after_summary', 1],
  ],
  broken: ({ records, server }) => {
    const compactions = ofType(records, 'history_compacted').length;
    const bodies = server.messageRequests.map(({ raw }) => raw);
    const from = bodies.findIndex((raw) => raw.includes('<conversation_summary>'));
    const undone = bodies.slice(from).filter((raw) => !raw.includes('<conversation_summary>'));
    const asked = new Set(ofType(records, 'compaction_started').map(({ compactionId }) => compactionId));
    const starts = ofType(records, 'compaction_started').length;
    return [
      ...(compactions === 1 ? [] : [`${compactions} compactions`]),
      ...(from < 0 ? ['the summary is never sent'] : []),
      ...undone.map(() => 'a request after the compaction has the conversation from before'),
      ...(starts === asked.size ? [] : ['one compaction has two starts']),
    ];
  },
};

/** Whether the request is for a summary decides which places its host passes. */
export function summaryPoint(
  request: { readonly messages: readonly unknown[] },
  when: 'before' | 'streaming' | 'after',
): void {
  if (!isSummaryRequest(request)) return;
  crashPoint(when === 'streaming' ? 'test_summary_streaming' : `test_${when}_summary`);
}
