// The commands that revert or fork the open session: which message, by a pick; what would change is shown in the panel.
import * as vscode from 'vscode';
import { RatchetError } from '../core/errors.ts';
import { visibleLabel } from '../core/visibleText.ts';
import { ellipsis } from '../core/wellFormed.ts';
import type { LiveSession } from '../runner/liveSession.ts';
import { revealChat, type Runtime } from './runtime.ts';

const labelLength = 100;

interface MessagePick extends vscode.QuickPickItem {
  readonly messageId: string;
}

export async function revertToMessage(runtime: Runtime, sessionId: string | undefined): Promise<void> {
  const messageId = await pickMessage(await shown(runtime, sessionId), 'Message to revert to before');
  if (messageId !== undefined) await runtime.panel.receive({ type: 'planRevert', messageId });
}

export async function forkFromMessage(runtime: Runtime, sessionId: string | undefined): Promise<void> {
  const messageId = await pickMessage(await shown(runtime, sessionId), 'Message to fork from');
  if (messageId !== undefined) await runtime.panel.receive({ type: 'fork', messageId });
}

export async function undoLastRevert(runtime: Runtime, sessionId: string | undefined): Promise<void> {
  await shown(runtime, sessionId);
  await runtime.panel.receive({ type: 'undoRevert' });
}

/** The session in the panel, where the answer is shown. */
async function shown(runtime: Runtime, sessionId: string | undefined): Promise<LiveSession> {
  if (sessionId !== undefined && runtime.panel.current?.id !== sessionId) await runtime.panel.open(sessionId);
  await revealChat(runtime);
  const { current } = runtime.panel;
  if (!current) throw new RatchetError('not_found', 'No session is open. Open one first.');
  return current;
}

async function pickMessage({ state }: LiveSession, placeHolder: string): Promise<string | undefined> {
  const items = state.reverts.active.flatMap((event): readonly MessagePick[] =>
    event.type === 'user_message_added' && event.origin === 'user' && event.agentId === undefined
      ? [{ label: labelOf(event.text), messageId: event.messageId, detail: new Date(event.at).toLocaleString() }]
      : [],
  );
  if (items.length === 0)
    throw new RatchetError('not_found', 'There is no message of yours in this session yet. Send one first.');
  return (await vscode.window.showQuickPick(items.toReversed(), { placeHolder }))?.messageId;
}

function labelOf(text: string): string {
  const line = text.trim().split('\n', 1)[0] ?? '';
  return line === '' ? '(images only)' : visibleLabel(ellipsis(line, labelLength));
}
