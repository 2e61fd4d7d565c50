// What a crash case of one feature is made of: what the user does in each host, what the server answers, what must hold in
// the end. Must never know which kills happen.
import type { SessionEvent } from '../../../src/core/events.ts';
import type { MessageExtras } from '../../../src/core/userInput.ts';
import type { LiveSession } from '../../../src/runner/liveSession.ts';
import type { SessionPorts } from '../../../src/runner/sessionPorts.ts';
import type { Sessions } from '../../../src/runner/sessions.ts';
import type { MessagesServer, Script } from '../../support/messagesServer/startMessagesServer.ts';
import type { Expected } from '../job.ts';

/** The user before the session of a case, in one host after the other. */
export interface Desk {
  readonly sessions: Sessions;
  readonly session: LiveSession;
  /** Where the hosts of the case keep what is no session's. */
  readonly root: string;
  /** All records from the disk, also those that a revert cut. */
  readonly records: () => Promise<readonly SessionEvent[]>;
  /** Tells of each record that is written from now on, after whoever wrote it was told. */
  readonly onRecord: (listener: (event: SessionEvent) => void) => void;
  /** Sends the message unless it is on record, or has what was cut go on; resolves when nothing goes on any more. */
  readonly goOn: (text: string, extras?: MessageExtras) => Promise<void>;
  /** Resolves when nothing goes on in the session. */
  readonly rest: () => Promise<void>;
}

export interface Evidence {
  /** Of the session, in order. */
  readonly records: readonly SessionEvent[];
  /** Of all other sessions, each a whole journal. */
  readonly others: readonly (readonly SessionEvent[])[];
  readonly server: MessagesServer;
  readonly files: ReadonlyMap<string, string>;
}

export interface Feature {
  /** What is in the folder before. */
  readonly files: Readonly<Record<string, string>>;
  /** What is other than in a window in which everything is allowed. */
  readonly window?: (root: string) => Partial<SessionPorts>;
  /** Does whatever is not done yet, as the records tell it. */
  readonly user: (desk: Desk) => Promise<void>;
  /** The server of one case. */
  readonly script: () => Script;
  readonly expected: Expected;
  /** Places to be killed at, with the passes that an uninterrupted run has. */
  readonly places: readonly (readonly [string, number])[];
  /** What the feature promises and was not kept, in words. */
  readonly broken: (evidence: Evidence) => readonly string[];
}

/** Both sides of the records of these types, as so many of them are written. */
export function around(records: Readonly<Partial<Record<SessionEvent['type'], number>>>): readonly [string, number][] {
  return Object.entries(records).flatMap(([type, count]): [string, number][] => [
    [`test_before_${type}`, count],
    [`test_after_${type}`, count],
  ]);
}

export function ofType<T extends SessionEvent['type']>(
  records: readonly SessionEvent[],
  type: T,
): readonly Extract<SessionEvent, { type: T }>[] {
  return records.filter((record): record is Extract<SessionEvent, { type: T }> => record.type === type);
}
