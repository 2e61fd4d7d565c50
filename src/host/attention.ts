// What is seen of the sessions outside of the panel: the status bar item, the badge, the context keys of the commands,
// and the one notification that offers interrupted work when a window opens.
import { setTimeout as delay } from 'node:timers/promises';
import * as vscode from 'vscode';
import { durationText } from '../core/words.ts';
import type { AutoResume } from '../runner/autoResume.ts';
import type { ListedSession } from '../runner/sessionStore.ts';
import { openFolders } from './folders.ts';
import { offerCut } from './resumeOffers.ts';
import { revealChat, tell, type Runtime } from './runtime.ts';
import { isResumable, listAll } from './sessionPick.ts';
import { setting } from './settings.ts';

const tickMs = 1_000;
const overlapLooks = 15;

/** The context key of the walkthrough's first step. */
export const hasFolderKey = 'ratchet.hasFolder';

export class Attention implements vscode.Disposable {
  readonly #runtime: Runtime;
  readonly #item = vscode.window.createStatusBarItem('ratchet.status', vscode.StatusBarAlignment.Left, 0);
  #timer: NodeJS.Timeout | undefined;
  #asked = new Set<string>();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
    this.#item.name = 'Ratchet';
    this.#item.command = 'ratchet.openChat';
  }

  dispose(): void {
    clearInterval(this.#timer);
    this.#item.dispose();
  }

  /** Brings everything up to date with the panel's session and the list. */
  update(): void {
    const { panel, view } = this.#runtime;
    const rows = panel.rows;
    const current = panel.current;
    const waiting = current?.waitingApprovals ?? [];
    // The open session is known as it is now; its row is read again a moment later.
    const states = rows.map((row) => (row.id === current?.id ? current.name : row.state));
    const running = current?.name === 'running' || states.includes('running');
    const interrupted = states.filter((state) => state === 'interrupted').length;
    const since = current?.name === 'running' ? current.state.runs.at(-1)?.startedAt : undefined;
    view.badge = waiting.length > 0 ? { value: waiting.length, tooltip: 'Ratchet needs you' } : undefined;
    this.#show(waiting.length > 0, running, since, interrupted);
    if (waiting.length > 0 && current) this.#askIfHidden(current.id, waiting);
    // For the walkthrough, which sees only what becomes true after it is there: the editor's own key for an open folder
    // is true long before.
    setContext(hasFolderKey, openFolders().length > 0);
    setContext('ratchet.resumed', current?.state.runs.some(({ cause }) => cause !== 'message') ?? false);
    setContext('ratchet.running', running);
    setContext('ratchet.hasSession', current !== undefined);
    // Of a host that ended, the keys stay: until this one has read the storage, they say what was there.
    if (panel.isListed) {
      setContext('ratchet.isListed', true);
      setContext('ratchet.hasSessions', rows.length > 0);
    }
    setContext('ratchet.resumable', rows.some(isResumable));
    setContext(
      'ratchet.retryable',
      rows.some((row) => row.state === 'failed' && isResumable(row)),
    );
  }

  #show(needsUser: boolean, running: boolean, since: number | undefined, interrupted: number): void {
    clearInterval(this.#timer);
    this.#item.backgroundColor = needsUser ? new vscode.ThemeColor('statusBarItem.warningBackground') : undefined;
    if (needsUser) {
      this.#item.text = '$(bell) Ratchet: needs you';
    } else if (running) {
      const write = (): void => {
        this.#item.text =
          since === undefined
            ? '$(sync) Ratchet: running'
            : `$(sync) Ratchet: running ${durationText(Date.now() - since)}`;
      };
      write();
      this.#timer = setInterval(write, tickMs);
    } else if (interrupted > 0) {
      this.#item.text = `$(debug-disconnect) Ratchet: ${String(interrupted)} interrupted`;
    } else {
      this.#item.hide();
      return;
    }
    this.#item.tooltip = 'Open the Ratchet chat';
    this.#item.show();
  }

  /** A notification only when the panel cannot be seen, and once for each request. */
  #askIfHidden(sessionId: string, stepIds: readonly string[]): void {
    const fresh = stepIds.filter((stepId) => !this.#asked.has(stepId));
    const { view } = this.#runtime;
    if (fresh.length === 0 || !view.isKnown || view.isVisible) return;
    for (const stepId of fresh) this.#asked.add(stepId);
    const runtime = this.#runtime;
    tell(runtime, {
      level: 'info',
      text: 'Ratchet is waiting for your permission.',
      actions: [{ label: 'Show', run: () => showQuestion(runtime, sessionId, fresh) }],
    });
  }
}

/** The question, or that it was answered since. */
async function showQuestion(runtime: Runtime, sessionId: string, stepIds: readonly string[]): Promise<void> {
  await runtime.panel.open(sessionId);
  await revealChat(runtime);
  const waiting = runtime.panel.current?.waitingApprovals ?? [];
  if (!stepIds.some((id) => waiting.includes(id)) && waiting.length === 0)
    tell(runtime, { level: 'info', text: 'That question was answered meanwhile, or its run has ended.' });
}

function setContext(key: string, value: boolean): void {
  void vscode.commands.executeCommand('setContext', key, value);
}

/**
 * The interrupted sessions of the open folders. On a reload the old extension host still lives for some seconds, and so
 * does its run; what somebody else runs is looked at again for a while.
 */
async function interruptedSessions(runtime: Runtime): Promise<readonly ListedSession[]> {
  for (let look = 0; ; look++) {
    const rows = await listAll(runtime.sessions);
    const elsewhere = rows.some((row) => row.state === 'running' && row.id !== runtime.panel.current?.run?.id);
    if (!elsewhere || look >= overlapLooks)
      return rows.filter((row) => row.state === 'interrupted' && isResumable(row));
    await delay(tickMs);
    await runtime.panel.refresh();
  }
}

/**
 * Offers the interrupted work of the open folders, or lets it go on, once for each window that opens. What the chat shows
 * with its own button is not offered a second time.
 */
export async function offerInterrupted(runtime: Runtime, autoResume: AutoResume): Promise<void> {
  const interrupted = await interruptedSessions(runtime);
  const parked = (await listAll(runtime.sessions)).filter((row) => row.retryAt !== undefined && isResumable(row));
  const mode = setting('autoResume');
  const looked = mode === 'always' ? [...interrupted, ...parked] : parked;
  await autoResume.watch(looked.map(({ id }) => id));
  if (interrupted.length === 0 || mode !== 'ask') return;
  await runtime.view.whenKnown();
  const { panel, view } = runtime;
  // The list has a button beside each, the open session has its banner.
  if (view.isVisible && !panel.current) return;
  // Meanwhile somebody may have gone on.
  const still = (await listAll(runtime.sessions)).filter(
    (row) => row.state === 'interrupted' && interrupted.some(({ id }) => id === row.id),
  );
  offerCut(
    runtime,
    still.filter(({ id }) => !view.isVisible || id !== panel.current?.id),
  );
}
