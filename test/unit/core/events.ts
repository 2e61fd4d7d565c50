// Events as the writer stamps them, for the tests of what is made from them.
import type { JournalHeader, NewEvent, SessionEvent } from '../../../src/core/events.ts';

export const header: JournalHeader = {
  ratchet: 'journal',
  format: 1,
  sessionId: 's1',
  folder: { uri: 'file:///job', name: 'job', path: '/job' },
  createdAt: 1_000,
};

/** Numbered from 1, a second apart. */
export function stamp(events: readonly NewEvent[]): SessionEvent[] {
  return events.map((event, index) => ({ seq: index + 1, at: 2_000 + index * 1_000, ...event }));
}
