// A server that has no time: a request that is made again after a shown wait, then one that parks the run until the session
// goes on by itself. The clock of the host jumps over each wait.
import { setTimeout as delay } from 'node:timers/promises';
import { crashPoint } from '../../../src/platform/crashPoint.ts';
import { AutoResume } from '../../../src/runner/autoResume.ts';
import type { Clock } from '../../../src/runner/ports.ts';
import { httpError } from '../../support/messagesServer/reply.ts';
import { answerTo, command, linesOf, type Piece } from '../job.ts';
import { around, ofType, type Desk, type Feature } from './feature.ts';

const message = 'Whenever you have time.';
const turns: readonly (readonly Piece[])[] = [[command('one')], [command('two')]];

/** Seconds. */
const shortWait = 20;
const longWait = 600;
let ahead = 0;
const jumpingClock: Clock = {
  now: () => Date.now() + ahead,
  delay: async (ms, signal) => {
    crashPoint('test_waiting');
    await delay(10, undefined, { signal });
    ahead += ms;
    crashPoint('test_after_wait');
  },
};

export const waits: Feature = {
  files: {},
  window: () => ({ clock: jumpingClock }),
  user: async (desk) => {
    if ((await desk.records()).length === 0) await desk.sessions.send(desk.session.id, message);
    await byItself(desk);
  },
  script: () => {
    let asked = 0;
    return (body) => {
      asked += 1;
      // Twice a wait that is sat out, then one that is too long, then one of each again.
      if (asked === 2 || asked === 3 || asked === 6) return httpError(529, { retryAfter: shortWait });
      if (asked === 4 || asked === 7) return httpError(429, { retryAfter: longWait });
      return answerTo(body, turns);
    };
  },
  expected: { lines: linesOf(turns), tasks: [], title: message },
  places: [
    ...around({ request_failed: 4, session_resumed: 1, run_ended: 2 }),
    ['test_waiting', 6],
    ['test_after_wait', 6],
  ],
  broken: ({ records, server }) => [
    ...tooEarly(records),
    ...(ofType(records, 'session_resumed').some(({ auto }) => auto) ? [] : ['it never went on by itself']),
    // One for each of: two turns, the end, five refusals, and those that were cut.
    ...(server.messageRequests.length <= 8 + 2 * ofType(records, 'session_resumed').length
      ? []
      : [`${server.messageRequests.length} requests`]),
  ],
};

/** Lets the session go on by itself until it is done; where it is held back, the user goes on with it. */
async function byItself({ sessions, session, rest }: Desk): Promise<void> {
  let held: Promise<unknown> = Promise.resolve();
  const autoResume = new AutoResume({
    sessions,
    clock: jumpingClock,
    mode: () => 'always',
    mayRun: () => true,
    ask: () => {
      throw new Error('it asks instead of going on');
    },
    tell: () => {
      held = sessions.resume(session.id);
    },
    log: () => undefined,
  });
  await rest();
  await autoResume.watch([session.id]);
  while (session.name !== 'done') {
    await held;
    await rest();
    await new Promise(setImmediate);
  }
  autoResume.dispose();
}

/** Requests and resumes by nobody that came before the time that the server named. */
function tooEarly(records: Parameters<typeof ofType>[0]): readonly string[] {
  let notBefore = 0;
  const found: string[] = [];
  for (const [index, record] of records.entries()) {
    if (record.type === 'request_failed') notBefore = record.notBefore ?? 0;
    else if (record.type === 'session_resumed') {
      // After a cut it waits in the run; what was parked is not begun before its time.
      const parked = records.slice(0, index).findLast(({ type }) => type === 'run_ended' || type === 'request_failed');
      if (record.auto && parked?.type === 'run_ended' && record.at < notBefore) found.push(`resume ${record.seq}`);
      if (!record.auto) notBefore = 0;
    } else if (record.type === 'request_started') {
      if (record.at < notBefore && notBefore - record.at <= 60_000) found.push(`request ${record.seq}`);
      notBefore = 0;
    }
  }
  return found.map((what) => `${what} comes before its time`);
}
