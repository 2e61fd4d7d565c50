// Makes a new session of what stands before a message of another one. The other one, its run and all files stay as they
// are.
import { RatchetError } from '../core/errors.ts';
import { forkOf, sideFilesOf } from '../core/fork.ts';
import { cutBefore, type TakenBack } from '../core/revertPlan.ts';
import type { LiveSession } from './liveSession.ts';
import type { SessionStore } from './sessionStore.ts';

export interface ForkedSession {
  readonly sessionId: string;
  /** The message, to be changed and sent there. */
  readonly message: TakenBack;
}

/** @throws RatchetError `not_found` when the message is not in the conversation, and those of the store */
export async function forkSession(
  store: SessionStore,
  session: LiveSession,
  messageId: string,
): Promise<ForkedSession> {
  const cut = cutBefore(session.state, messageId);
  if (!cut)
    throw new RatchetError('not_found', 'This message is not in the conversation any more. Nothing was forked.');
  const made = await store.fork(session.stored, (now) => {
    const fork = forkOf(session.state, cut.toSeq, now);
    return { ...fork, ...sideFilesOf(fork.events) };
  });
  return { sessionId: made.id, message: { text: cut.text, images: cut.images } };
}
