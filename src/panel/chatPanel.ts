// The host's half of the chat panel: which session is open, what the panel shows of it, and what its messages do.
// It posts one snapshot and then numbered changes; the panel never holds truth. Runs without VS Code.
import { RatchetError, messageOf } from '../core/errors.ts';
import type { ApprovalMode, FolderIdentity } from '../core/events.ts';
import type { TakenBack } from '../core/revertPlan.ts';
import type { Change, PanelMessage } from '../protocol/messages.ts';
import type { PanelView } from '../protocol/view.ts';
import type { LiveSession, SessionChange } from '../runner/liveSession.ts';
import type { ListedSession } from '../runner/sessionStore.ts';
import type { Sessions } from '../runner/sessions.ts';
import { ChangeBatch } from './changeBatch.ts';
import { handleComposerMessage } from './composerMessages.ts';
import type { PanelPorts, PanelSource } from './panelPorts.ts';
import { openSessionView, panelView } from './panelView.ts';
import { SessionLists } from './sessionLists.ts';
import { handleSessionMessage, pageSize } from './sessionMessages.ts';
import { SessionWatch } from './sessionWatch.ts';

const flushMs = 33;
const listMs = 150;
const inspectMs = 200;

export class ChatPanel {
  readonly #sessions: Sessions;
  readonly #ports: PanelPorts;
  readonly #batch = new ChangeBatch();
  readonly #openAgents = new Set<string>();
  #connected = false;
  /** Asked for before the view was there. */
  #focusWanted = false;
  #revision = 0;
  #current: LiveSession | undefined;
  #folderUri: string | undefined;
  #pendingMode: ApprovalMode | undefined;
  #source: PanelSource = { kind: 'none', text: '' };
  readonly #lists: SessionLists;
  #flushTimer: NodeJS.Timeout | undefined;
  #listTimer: NodeJS.Timeout | undefined;
  #inspectTimer: NodeJS.Timeout | undefined;
  readonly #watch: SessionWatch;
  readonly #unsubscribe: () => void;
  #restored: Promise<void> | undefined;

  constructor(sessions: Sessions, ports: PanelPorts) {
    this.#sessions = sessions;
    this.#ports = ports;
    this.#lists = new SessionLists(sessions, () => ports.folders());
    this.#unsubscribe = sessions.onChange((change) => {
      this.#onChange(change);
    });
    this.#watch = new SessionWatch({
      session: () => (this.#connected || this.#current?.heldElsewhere === true ? this.#current : undefined),
      look: (sessionId) => sessions.watch(sessionId),
      onFreed: () => {
        this.#scheduleInspection();
      },
      onFailed: (session, error) => {
        this.#onLost(session, error);
      },
    });
  }

  dispose(): void {
    this.#unsubscribe();
    clearTimeout(this.#flushTimer);
    clearTimeout(this.#listTimer);
    clearTimeout(this.#inspectTimer);
    this.#watch.dispose();
  }

  get current(): LiveSession | undefined {
    return this.#current;
  }

  get rows(): readonly ListedSession[] {
    return this.#lists.rows;
  }

  /** Opens the session that was open before the window was reloaded; once. */
  restore(): Promise<void> {
    this.#restored ??= this.#restore();
    return this.#restored;
  }

  async #restore(): Promise<void> {
    await this.#loadRows();
    await this.#lists.loadOffers();
    const wanted = this.#ports.recallSession();
    if (wanted !== undefined && this.#lists.rows.some((row) => row.id === wanted)) await this.open(wanted);
  }

  /** The webview is gone or hidden: nothing is posted until it says `ready` again. */
  disconnect(): void {
    this.#connected = false;
    this.#batch.clear();
  }

  /** @throws RatchetError `not_found` and others of the store */
  async open(sessionId: string): Promise<void> {
    const session = await this.#sessions.open(sessionId);
    this.#show(session);
  }

  /** Makes a session in a folder and shows it. @throws RatchetError `no_folder` */
  async create(folder?: FolderIdentity): Promise<LiveSession> {
    const target = folder ?? this.#folder();
    if (!target) throw new RatchetError('no_folder', 'Open a folder first: a session belongs to one.');
    const session = await this.#sessions.create(target);
    if (this.#pendingMode !== undefined) await this.#sessions.setApprovalMode(session.id, this.#pendingMode);
    this.#pendingMode = undefined;
    this.#show(session);
    return session;
  }

  /** Shows a session with a message in its input, and why it is there. */
  async openWithDraft(sessionId: string, message: TakenBack, reason: string): Promise<void> {
    if (this.#current?.id !== sessionId) await this.open(sessionId);
    await this.refresh();
    this.#ports.post({ type: 'sendRefused', ...message, reason });
  }

  close(): void {
    this.#show(undefined);
  }

  #show(session: LiveSession | undefined): void {
    this.#current = session;
    this.#batch.clear();
    this.#ports.rememberSession(session?.id);
    this.#background(this.refresh());
    if (session) this.#scheduleInspection();
  }

  /** Everything may have changed: settings, folders, trust, the open session. Sends a new snapshot. */
  async refresh(): Promise<void> {
    await this.#loadRows();
    await this.#lists.loadOffers();
    await this.#postSnapshot();
    this.#ports.onChanged();
  }

  /** The list may have changed by what another window did. */
  refreshList(): void {
    this.#scheduleList();
  }

  /** Ends the run of a session; what becomes of a command that runs is the user's choice. */
  async stop(sessionId: string): Promise<void> {
    const session = await this.#sessions.open(sessionId);
    const runsCommand = [...session.state.openSteps].some((id) => {
      const step = session.state.steps.get(id);
      return step?.status === 'running' && step.intent?.kind === 'job';
    });
    const kind = runsCommand ? await this.#ports.stopKind() : 'user';
    if (kind) await this.#sessions.stop(session.id, kind);
  }

  /** Asks for the keyboard in the input. */
  focusInput(): void {
    if (this.#connected) this.#ports.post({ type: 'focusInput' });
    else this.#focusWanted = true;
  }

  async receive(message: PanelMessage): Promise<void> {
    try {
      await this.#handle(message);
    } catch (error) {
      this.#ports.log(`The panel's request "${message.type}" failed`, error);
      if (message.type === 'send' || message.type === 'slash' || message.type === 'editQueued')
        this.#ports.post({ type: 'sendRefused', text: message.text, reason: messageOf(error) });
      else this.#ports.showError(messageOf(error));
    }
  }

  async #handle(message: PanelMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#connected = true;
        await this.restore();
        await this.#postSnapshot();
        if (this.#focusWanted) this.focusInput();
        this.#focusWanted = false;
        return;
      case 'snapshotWanted':
        return this.#postSnapshot();
      case 'setApprovalMode':
        if (this.#current) return this.#sessions.setApprovalMode(this.#current.id, message.mode);
        this.#pendingMode = message.mode;
        return this.#postPanel();
      case 'openSession':
        return this.open(message.sessionId);
      case 'closeSession':
        this.close();
        return;
      case 'selectFolder':
        this.#folderUri = message.uri;
        return this.#postPanel();
      case 'adopt':
        return this.#adopt(message.folder, message.from);
      case 'send':
      case 'slash':
      case 'complete':
      case 'dropped':
        return handleComposerMessage(
          {
            sessions: this.#sessions,
            ports: this.#ports,
            current: this.#current,
            folder: this.#current?.folder ?? this.#folder(),
            create: () => this.create(),
            commands: async () => {
              const { session, commands = [] } = await this.#panelView();
              return session?.commands ?? commands;
            },
          },
          message,
        );
      case 'openLink':
        return this.#ports.openLink(message.href);
      case 'command':
        return this.#ports.runCommand(message.command, this.#current?.id);
      case 'panelError':
        this.#ports.log(`Error in the panel: ${message.message}`, message.stack);
        return;
      default:
        if (!this.#current)
          throw new RatchetError('not_found', 'No session is open. Open one from the list, or send a message.');
        return handleSessionMessage(
          {
            sessions: this.#sessions,
            ports: this.#ports,
            openAgents: this.#openAgents,
            stop: (sessionId) => this.stop(sessionId),
            openWithDraft: (sessionId, taken, reason) => this.openWithDraft(sessionId, taken, reason),
          },
          this.#current,
          message,
        );
    }
  }

  #onChange(change: SessionChange): void {
    if (change.kind === 'event') {
      const { type } = change.event;
      if (type === 'run_started' || type === 'run_ended' || type === 'title_changed') this.#scheduleList();
    }
    // A run has ended for others only when it has given up its journal, however long after its last record.
    if (change.kind === 'state' && change.sessionId === this.#current?.id) {
      if (!this.#current.hasRun() && !this.#current.inspection) this.#scheduleInspection();
    }
    if (change.kind === 'itemsReplaced' && change.sessionId === this.#current?.id)
      this.#background(this.#postSnapshot());
    if (change.sessionId === this.#current?.id) {
      // What happens inside of a card travels only where it is seen.
      if (change.kind === 'itemPut' && change.cardId !== undefined && !this.#openAgents.has(change.cardId)) return;
      this.#batch.add(change);
      this.#scheduleFlush();
    } else if (change.kind === 'state') {
      this.#scheduleList();
    }
  }

  #scheduleFlush(): void {
    this.#flushTimer ??= setTimeout(() => {
      this.#flushTimer = undefined;
      this.#flush();
    }, flushMs);
  }

  #flush(): void {
    const session = this.#current;
    const changes = this.#batch.take();
    if (session && changes.some((change) => change.kind === 'session')) {
      this.#ports.onChanged();
      // Its row was perhaps read between the record of an end and the end itself.
      if (this.#lists.rows.find((row) => row.id === session.id)?.state !== session.name) this.#scheduleList();
    }
    if (!session || !this.#connected || changes.length === 0) return;
    const view = openSessionView(this.#ports, session, this.#source);
    const filled = changes.map((change): Change =>
      change.kind === 'session' ? { kind: 'session', session: view } : change,
    );
    this.#ports.post({ type: 'changes', revision: this.#nextRevision(), changes: filled });
  }

  #scheduleList(): void {
    this.#listTimer ??= setTimeout(() => {
      this.#listTimer = undefined;
      this.#background(this.#loadRows().then(() => this.#postPanel()));
    }, listMs);
  }

  /** After the run has given up its journal, and again when another window has. */
  #scheduleInspection(): void {
    this.#inspectTimer ??= setTimeout(() => {
      this.#inspectTimer = undefined;
      const session = this.#current;
      if (session) this.#background(this.#sessions.inspect(session.id));
    }, inspectMs);
  }

  async #loadRows(): Promise<void> {
    await this.#lists.loadRows();
    this.#ports.onChanged();
  }

  async #adopt(folderUri: string, from: string): Promise<void> {
    const offer = this.#lists.offer(folderUri, from);
    await this.#sessions.adopt(offer.folder, offer.sessions);
    await this.refresh();
  }

  /** Another window deleted the open session, or its trace cannot be read any more. */
  #onLost(session: LiveSession, error: unknown): void {
    this.#ports.log(`Session ${session.id} cannot be watched`, error);
    this.#ports.showError(messageOf(error));
    const isGone = error instanceof RatchetError && error.code === 'not_found';
    if (isGone && this.#current === session) this.close();
  }

  async #postPanel(): Promise<void> {
    if (!this.#connected) return;
    const panel = await this.#panelView();
    this.#ports.post({ type: 'changes', revision: this.#nextRevision(), changes: [{ kind: 'panel', panel }] });
  }

  async #postSnapshot(): Promise<void> {
    if (!this.#connected) return;
    const panel = await this.#panelView();
    this.#openAgents.clear();
    // What happened until here is in the snapshot.
    this.#batch.clear();
    const page = this.#current?.page(pageSize) ?? { items: [], earlier: 0 };
    const live = [...(this.#current?.live ?? [])].map(([id, lines]) => ({ id, lines }));
    this.#ports.post({ type: 'snapshot', revision: this.#nextRevision(), panel, ...page, live });
  }

  #nextRevision(): number {
    this.#revision += 1;
    return this.#revision;
  }

  async #panelView(): Promise<PanelView> {
    const folder = this.#folder();
    this.#source = await this.#ports.source();
    return panelView(this.#ports, {
      source: this.#source,
      rows: this.#lists.rows,
      offers: this.#lists.offers,
      ...(folder && { folder }),
      ...(this.#current && { session: this.#current }),
      ...(this.#pendingMode !== undefined && { pendingMode: this.#pendingMode }),
    });
  }

  #folder(): FolderIdentity | undefined {
    const folders = this.#ports.folders();
    return folders.find(({ uri }) => uri === this.#folderUri) ?? folders[0];
  }

  /** For work that nobody waits for: its failure is logged and shown. */
  #background(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#ports.log('The panel could not be brought up to date', error);
      this.#ports.showError(messageOf(error));
    });
  }
}
