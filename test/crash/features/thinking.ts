// A server that takes no thinking back: it is left out by a record.
import { httpError } from '../../support/messagesServer/reply.ts';
import { blocksOf } from '../../support/messagesServer/turns.ts';
import { answerTo, command, linesOf, type Piece } from '../job.ts';
import { around, ofType, type Feature } from './feature.ts';

const message = 'Think it over.';
const turns: readonly (readonly Piece[])[] = [[command('one')], [command('two')], [command('three')]];
const mostTaken = 2;

export const thinking: Feature = {
  files: {},
  user: ({ goOn }) => goOn(message),
  script: () => (body) => {
    const blocks = body.messages.flatMap(blocksOf).filter(({ type }) => type === 'thinking');
    if (blocks.length > mostTaken - 1)
      return httpError(400, { message: 'messages.1.content.0: `thinking` blocks cannot be modified' });
    return answerTo(body, turns);
  },
  expected: { lines: linesOf(turns), tasks: [], title: message },
  places: around({ thinking_dropped: 1, request_failed: 1 }),
  broken: ({ records, server }) => {
    const drops = ofType(records, 'thinking_dropped');
    // One request of each may have been made twice: by a host that died before the record, and by the next.
    const refusals = server.messageRequests.filter(({ status }) => status === 400).length;
    const resumes = ofType(records, 'session_resumed').length;
    return [
      ...(drops.length === 0 ? ['nothing was left out'] : []),
      ...(refusals > drops.length + resumes ? [`${refusals} refusals for ${drops.length} records`] : []),
    ];
  },
};
