// What the panel's messages about reverting and forking the open session do.
import { unreachable } from '../core/errors.ts';
import type { TakenBack } from '../core/revertPlan.ts';
import { revertPlanView } from '../projection/revertTexts.ts';
import type { PanelMessage } from '../protocol/messages.ts';
import type { LiveSession } from '../runner/liveSession.ts';
import type { Sessions } from '../runner/sessions.ts';
import type { PanelPorts } from './panelPorts.ts';

export type RevertMessage = Extract<
  PanelMessage,
  { type: 'planRevert' | 'revert' | 'finishRevert' | 'undoRevert' | 'fork' }
>;

export interface RevertTarget {
  readonly sessions: Sessions;
  readonly ports: Pick<PanelPorts, 'post'>;
  readonly openWithDraft: (sessionId: string, message: TakenBack, reason: string) => Promise<void>;
}

const reverted = 'Reverted. Change the message and send it again, or leave it.';
const forked = 'Forked. Files are as they were. Change the message and send it here.';

/** @throws RatchetError and others of what it calls */
export async function handleRevertMessage(
  { sessions, ports, openWithDraft }: RevertTarget,
  session: LiveSession,
  message: RevertMessage,
): Promise<void> {
  switch (message.type) {
    case 'planRevert': {
      const plan = revertPlanView(await sessions.planRevert(session.id, message.messageId));
      ports.post({ type: 'revertPlan', sessionId: session.id, plan });
      return;
    }
    case 'revert':
      return openWithDraft(session.id, await sessions.revert(session.id, message.messageId, message.lastSeq), reverted);
    case 'finishRevert': {
      const taken = await sessions.finishRevert(session.id);
      if (taken) await openWithDraft(session.id, taken, reverted);
      return;
    }
    case 'undoRevert':
      return sessions.undoRevert(session.id);
    case 'fork': {
      const made = await sessions.fork(session.id, message.messageId);
      return openWithDraft(made.sessionId, made.message, forked);
    }
    default:
      unreachable(message);
  }
}
