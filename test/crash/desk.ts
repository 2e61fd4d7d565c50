// The desk of a feature's user in a host process. Must never know what the user does there.
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { SessionEvent } from '../../src/core/events.ts';
import type { LiveSession } from '../../src/runner/liveSession.ts';
import type { Sessions } from '../../src/runner/sessions.ts';
import { journalStart, readJournal } from '../../src/store/journalReader.ts';
import type { Desk } from './features/feature.ts';

export function openDesk(sessions: Sessions, session: LiveSession, root: string, mode: 'resume' | 'retry'): Desk {
  const records = async (): Promise<readonly SessionEvent[]> => {
    const events: SessionEvent[] = [];
    await readJournal(join(session.stored.storage, 'journal.jsonl'), journalStart, (event) => events.push(event));
    return events;
  };
  const rest = async (): Promise<void> => {
    while (session.run) await session.run.ended;
  };
  return {
    sessions,
    session,
    root,
    records,
    rest,
    onRecord: (listener) => {
      sessions.onChange((change) => {
        if (change.kind !== 'event' || change.sessionId !== session.id) return;
        const { event } = change;
        void nextTurn().then(() => {
          listener(event);
        });
      });
    },
    goOn: async (text, extras) => {
      const said = (await records()).some((record) => record.type === 'user_message_added' && record.text === text);
      if (!said) await sessions.send(session.id, text, extras);
      else if (session.name !== 'done') await sessions.resume(session.id, { mode });
      await rest();
    },
  };
}
