// A script that knows its answers beforehand: for a test whose requests come one after the other.
import { text, type Scripted } from '../messagesServer/reply.ts';
import type { Script } from '../messagesServer/startMessagesServer.ts';

/** Answers the first request with the first reply, and so on; says that nothing is left after the last. */
export function inTurn(...replies: readonly Scripted[]): Script {
  let next = 0;
  return () => replies[next++] ?? text('Nothing is left to do.');
}
