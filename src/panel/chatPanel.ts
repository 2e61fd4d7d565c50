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
import { boundedPage } from './boundedPage.ts';
import { handleComposerMessage } from './composerMessages.ts';
import type { CollectedChange } from './changeBatch.ts';
import { KnownSource } from './knownSource.ts';
import { PanelFeed } from './panelFeed.ts';
import { PanelNotices, type Notice } from './panelNotices.ts';
import type { PanelPorts } from './panelPorts.ts';
import { openSessionView, panelView } from './panelView.ts';
import { SessionLists } from './sessionLists.ts';
import { handleSessionMessage, pageSize } from './sessionMessages.ts';
import { Sends } from './sends.ts';
import { SessionWatch } from './sessionWatch.ts';

const listMs = 150;
const inspectMs = 200;

export class ChatPanel {
  readonly #sessions: Sessions;
  readonly #ports: PanelPorts;
  readonly #openAgents = new Set<string>();
  readonly #feed: PanelFeed;
  readonly #notices = new PanelNotices();
  readonly #source: KnownSource;
  #stateChanged = false;
  /** Asked for before the view was there. */
  #focusWanted = false;
  #current: LiveSession | undefined;
  #folderUri: string | undefined;
  #shownFolder: string | undefined;
  #pendingMode: ApprovalMode | undefined;
  readonly #lists: SessionLists;
  readonly #sends: Sends;
  #listTimer: NodeJS.Timeout | undefined;
  #inspectTimer: NodeJS.Timeout | undefined;
  readonly #watch: SessionWatch;
  readonly #unsubscribe: () => void;
  #restored: Promise<void> | undefined;
  /** The storage was read, or cannot be: from then on what is shown is so. */
  #isRestored = false;

  constructor(sessions: Sessions, ports: PanelPorts) {
    this.#sessions = sessions;
    this.#ports = ports;
    this.#feed = new PanelFeed({
      post: (message) => {
        ports.post(message);
      },
      now: () => ports.now(),
      onSettled: () => {
        this.#onSettled();
      },
      fill: (changes) => this.#fill(changes),
      postSnapshot: () => {
        this.#background(this.#postSnapshot());
      },
      postPanel: () => {
        this.#background(this.#postPanel());
      },
      log: (message, error) => {
        ports.log(message, error);
      },
    });
    this.#source = new KnownSource({
      read: () => ports.source(),
      onLate: () => {
        this.#background(this.#postPanel());
      },
      log: (message, error) => {
        ports.log(message, error);
      },
    });
    this.#lists = new SessionLists(sessions, () => ports.folders());
    this.#sends = new Sends(sessions, ports, {
      current: () => this.#current,
      create: (id) => this.create(undefined, id),
    });
    this.#unsubscribe = sessions.onChange((change) => {
      this.#onChange(change);
    });
    this.#watch = new SessionWatch({
      session: () => (this.#feed.isConnected() || this.#current?.heldElsewhere === true ? this.#current : undefined),
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
    clearTimeout(this.#listTimer);
    clearTimeout(this.#inspectTimer);
    this.#watch.dispose();
    this.#feed.dispose();
  }

  get current(): LiveSession | undefined {
    return this.#current;
  }

  get rows(): readonly ListedSession[] {
    return this.#lists.rows;
  }

  /** The rows are what the storage holds, rather than nothing yet. */
  get isListed(): boolean {
    return this.#lists.isRead;
  }

  /** Opens the session that was open before the window was reloaded; once. Never rejects: what fails is said. */
  restore(): Promise<void> {
    this.#restored ??= this.#restore()
      .catch((error: unknown) => {
        this.#ports.log('The last session could not be opened', error);
        this.#ports.showError(messageOf(error));
      })
      .finally(() => {
        this.#isRestored = true;
      });
    return this.#restored;
  }

  async #restore(): Promise<void> {
    await this.#loadRows();
    await this.#lists.loadOffers();
    const wanted = this.#ports.recallSession();
    if (wanted !== undefined && this.#lists.rows.some((row) => row.id === wanted)) await this.open(wanted);
  }

  /** Says something above the input. */
  say(notice: Notice): void {
    this.#notices.add(notice);
    this.#background(this.#postPanel());
  }

  /** The webview is gone or hidden: nothing is posted until it says `ready` again. */
  disconnect(): void {
    this.#feed.disconnect();
  }

  /** @throws RatchetError `not_found` and others of the store */
  async open(sessionId: string): Promise<void> {
    const session = await this.#sessions.open(sessionId);
    this.#show(session);
  }

  /** Makes a session in a folder and shows it. @param id as the panel has named it @throws RatchetError `no_folder` */
  async create(folder?: FolderIdentity, id?: string): Promise<LiveSession> {
    const target = folder ?? this.#folder();
    if (!target) throw new RatchetError('no_folder', 'Open a folder first: a session belongs to one.');
    const session = await this.#sessions.create(target, id);
    if (this.#pendingMode !== undefined) await this.#sessions.setApprovalMode(session.id, this.#pendingMode);
    this.#pendingMode = undefined;
    // Chosen for this one.
    this.#folderUri = undefined;
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
    this.#feed.clear();
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

  /** Another editor is active: the folder that is proposed may be another one. */
  refreshFolder(): void {
    if (this.#current || this.#folder()?.uri === this.#shownFolder) return;
    this.#background(this.#postPanel());
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
    if (this.#feed.isConnected()) this.#ports.post({ type: 'focusInput' });
    else this.#focusWanted = true;
  }

  async receive(message: PanelMessage): Promise<void> {
    try {
      await this.#handle(message);
    } catch (error) {
      this.#ports.log(`The panel's request "${message.type}" failed`, error);
      if (message.type === 'send' || message.type === 'slash' || message.type === 'editQueued') {
        const id = 'id' in message ? message.id : undefined;
        const reason = messageOf(error);
        this.#ports.post({ type: 'sendRefused', ...(id !== undefined && { id }), text: message.text, reason });
      } else this.#ports.showError(messageOf(error));
    }
  }

  async #handle(message: PanelMessage): Promise<void> {
    switch (message.type) {
      case 'ready':
        this.#feed.connect();
        await this.restore();
        await this.#postSnapshot();
        this.#background(this.#sends.postKept());
        if (this.#focusWanted) this.focusInput();
        this.#focusWanted = false;
        return;
      case 'snapshotWanted':
        // Whoever asks is there, whatever the editor said of the view.
        if (!this.#feed.isConnected()) this.#feed.connect();
        await this.restore();
        return this.#postSnapshot();
      case 'seen':
        this.#feed.seen(message.revision);
        return;
      case 'answerNotice': {
        const run = this.#notices.answer(message.id, message.action);
        await this.#postPanel();
        return run?.();
      }
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
        return this.#sends.send(message);
      case 'keepDraft':
      case 'sendOutcomesWanted':
      case 'draftReturned':
        return this.#sends.handle(message);
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
              await this.#source.look();
              const { session, commands = [] } = this.#panelView();
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
      if (change.kind === 'state') this.#stateChanged = true;
      this.#feed.add(change);
    } else if (change.kind === 'state') {
      this.#scheduleList();
    }
  }

  /** What happens in a run comes many times a second: the status bar and the list hear of it now and then. */
  #onSettled(): void {
    const session = this.#current;
    if (!this.#stateChanged || !session) return;
    this.#stateChanged = false;
    this.#ports.onChanged();
    // Its row was perhaps read between the record of an end and the end itself.
    if (this.#lists.rows.find((row) => row.id === session.id)?.state !== session.name) this.#scheduleList();
  }

  #fill(changes: readonly CollectedChange[]): readonly Change[] {
    const session = this.#current;
    if (!session) return [];
    const view = openSessionView(this.#ports, session, this.#source.value);
    return changes.map((change) => (change.kind === 'session' ? { kind: 'session', session: view } : change));
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
    if (!this.#feed.isConnected() || !this.#isRestored) return;
    await this.#source.look();
    this.#feed.panel(() => this.#panelView());
  }

  async #postSnapshot(): Promise<void> {
    if (!this.#feed.isConnected() || !this.#isRestored) return;
    await this.#source.look();
    if (!this.#feed.isConnected()) return;
    const page = boundedPage(this.#current?.page(pageSize) ?? { items: [], earlier: 0 });
    const live = [...(this.#current?.live ?? [])].map(([id, lines]) => ({ id, lines }));
    this.#openAgents.clear();
    this.#feed.snapshot({ panel: this.#panelView(), ...page, live });
  }

  #panelView(): PanelView {
    const folder = this.#folder();
    this.#shownFolder = folder?.uri;
    return panelView(this.#ports, {
      source: this.#source.value,
      rows: this.#lists.rows,
      offers: this.#lists.offers,
      notices: this.#notices.views,
      ...(folder && { folder }),
      ...(this.#current && { session: this.#current }),
      ...(this.#pendingMode !== undefined && { pendingMode: this.#pendingMode }),
    });
  }

  /** What the user chose holds until a session is made; else it is the folder of what they work on. */
  #folder(): FolderIdentity | undefined {
    const folders = this.#ports.folders();
    return folders.find(({ uri }) => uri === this.#folderUri) ?? this.#ports.activeFolder() ?? folders[0];
  }

  /** For work that nobody waits for: its failure is logged and shown. */
  #background(work: Promise<void>): void {
    work.catch((error: unknown) => {
      this.#ports.log('The panel could not be brought up to date', error);
      this.#ports.showError(messageOf(error));
    });
  }
}
