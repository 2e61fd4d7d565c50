// What the panel's messages about the open session do. The panel itself (which session is open, what is posted) is
// chatPanel.ts.
import { RatchetError, unreachable } from '../core/errors.ts';
import type { EventOf } from '../core/events.ts';
import type { TakenBack } from '../core/revertPlan.ts';
import type { PanelMessage } from '../protocol/messages.ts';
import type { LiveSession } from '../runner/liveSession.ts';
import type { Sessions } from '../runner/sessions.ts';
import { boundedPage } from './boundedPage.ts';
import type { PanelPorts } from './panelPorts.ts';
import { handleRevertMessage, type RevertMessage } from './revertMessages.ts';

/** Transcript items that travel to the panel at once. */
export const pageSize = 100;

/** The messages that make sense only while a session is open. */
export type SessionMessage =
  | RevertMessage
  | Extract<
      PanelMessage,
      {
        type:
          | 'retryNow'
          | 'editQueued'
          | 'removeQueued'
          | 'stop'
          | 'endCommand'
          | 'resume'
          | 'approve'
          | 'rename'
          | 'loadEarlier'
          | 'openAgent'
          | 'closeAgent'
          | 'openFile'
          | 'openDiff'
          | 'openOutput'
          | 'previewWanted'
          | 'openAttachment'
          | 'openImage';
      }
    >;

export interface SessionMessageTarget {
  readonly sessions: Sessions;
  readonly ports: PanelPorts;
  /** Cards of agents whose items the panel has, by the id of their step. */
  readonly openAgents: Set<string>;
  /** Ends the run of a session; what becomes of a command that runs is the user's choice. */
  readonly stop: (sessionId: string) => Promise<void>;
  /** Shows a session with a message in its input, and why it is there. */
  readonly openWithDraft: (sessionId: string, message: TakenBack, reason: string) => Promise<void>;
}

/** Does what a message about the open session asks for. @throws RatchetError and others of what it calls */
export async function handleSessionMessage(
  target: SessionMessageTarget,
  session: LiveSession,
  message: SessionMessage,
): Promise<void> {
  const { sessions, ports, openAgents, stop } = target;
  switch (message.type) {
    case 'stop':
      return stop(session.id);
    case 'endCommand':
      return sessions.endCommand(session.id, message.key);
    case 'resume': {
      const { mode, model, thinking, now, preview = false } = message;
      const choice = { mode, ...(model !== undefined && { model }), ...(thinking !== undefined && { thinking }) };
      const chosen = await ports.confirmResume(session.id, choice, preview);
      if (chosen) await sessions.resume(session.id, { ...chosen, ...(now && { now }) });
      return;
    }
    case 'retryNow':
      return sessions.retryNow(session.id);
    case 'editQueued':
      return sessions.editQueued(session.id, message.messageId, message.text);
    case 'removeQueued':
      return sessions.removeQueued(session.id, message.messageId);
    case 'approve':
      if (message.decision === 'allow' && message.always !== undefined)
        return sessions.allowAlways(session.id, message.stepId, message.always);
      return sessions.approve(session.id, message.stepId, message.decision, message.reason);
    case 'rename':
      return sessions.rename(session.id, message.title);
    case 'loadEarlier':
      ports.post({
        type: 'earlierItems',
        sessionId: session.id,
        ...boundedPage(session.page(pageSize, message.beforeId)),
      });
      return;
    case 'openAgent': {
      const { stepId, beforeId } = message;
      openAgents.add(stepId);
      ports.post({
        type: 'agentItems',
        sessionId: session.id,
        stepId,
        ...(beforeId !== undefined && { beforeId }),
        ...boundedPage(session.transcript.agentPage(stepId, pageSize, beforeId)),
      });
      return;
    }
    case 'closeAgent':
      openAgents.delete(message.stepId);
      return;
    case 'openFile':
      return ports.openFile(session.folder, message.path);
    case 'openDiff': {
      const { stepId, path, since } = message;
      return ports.openDiff(session.id, { stepId, path, ...(since !== undefined && { since }) });
    }
    case 'openOutput':
      return ports.openOutput(session.id, message.stepId);
    case 'previewWanted': {
      const { itemId, index } = message;
      const image = userMessage(session, itemId)?.images?.[index];
      if (!image) return;
      const source = image.preview ?? `data:${image.mediaType};base64,${image.data}`;
      ports.post({ type: 'imagePreview', sessionId: session.id, itemId, index, source });
      return;
    }
    case 'openAttachment': {
      const attachment = userMessage(session, message.itemId)?.attachments?.[message.index];
      if (!attachment) throw new RatchetError('not_found', 'What was attached here is not in the trace.');
      return ports.openAttachment(session.folder, attachment);
    }
    case 'openImage': {
      const { itemId, index } = message;
      const image = userMessage(session, itemId)?.images?.[index];
      if (!image) throw new RatchetError('not_found', 'This image is not in the trace.');
      return ports.openImage(session.stored.storage, `${itemId}-${String(index + 1)}`, image);
    }
    case 'planRevert':
    case 'revert':
    case 'finishRevert':
    case 'undoRevert':
    case 'fork':
      return handleRevertMessage(target, session, message);
    default:
      unreachable(message);
  }
}

function userMessage({ state }: LiveSession, id: string): EventOf<'user_message_added'> | undefined {
  const found = state.conversation.find((entry) => entry.type === 'user_message_added' && entry.messageId === id);
  return found?.type === 'user_message_added' ? found : undefined;
}
