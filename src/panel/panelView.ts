// What the panel is shown, put together from the open session, the lists and what the ports say. Changes nothing.
import { chooseConnection } from '../core/connection.ts';
import { isEditorModel } from '../core/editorModelId.ts';
import { offeredAction } from '../core/launchPlan.ts';
import type { ApprovalMode, FolderIdentity } from '../core/events.ts';
import { slashCommands } from '../core/slashCommands.ts';
import { hasWork, lastRunHere } from '../core/sessionState.ts';
import { adoptableText, needsYou, parkedWord, sessionView, stateWords, untitled } from '../projection/sessionView.ts';
import { answeredBy, sessionSource } from '../projection/sourceText.ts';
import type { NoticeView, PanelView, SessionSummaryView, SessionView } from '../protocol/view.ts';
import { costText } from '../core/spending.ts';
import type { LiveSession } from '../runner/liveSession.ts';
import { modelChoice } from '../runner/modelChoice.ts';
import type { PanelPorts, PanelSource } from './panelPorts.ts';
import type { FolderOffer, ListedRow } from './sessionLists.ts';

export interface PanelContent {
  readonly source: PanelSource;
  readonly rows: readonly ListedRow[];
  readonly offers: readonly FolderOffer[];
  /** Folder that a new session would belong to. */
  readonly folder?: FolderIdentity;
  /** What is said beside the sessions. */
  readonly notices: readonly NoticeView[];
  readonly session?: LiveSession;
  /** Chosen before there is a session. */
  readonly pendingMode?: ApprovalMode;
}

export function panelView(ports: PanelPorts, content: PanelContent): PanelView {
  const folders = ports.folders();
  const { folder, session } = content;
  const { setup: _setup, ...source } = content.source;
  const several = folders.length > 1;
  const other = several ? otherFolder(folders, folder, ports.activeFolder()) : undefined;
  const isDemo = content.source.kind === 'demo';
  const noSandbox = ports.noSandbox?.();
  const sessions = content.rows.map((row) => rowView(ports, row, several));
  const othersResumable = sessions.some(({ resumable }) => resumable);
  return {
    screen: folders.length === 0 ? 'no_folder' : session ? 'session' : ports.isTrusted() ? 'empty' : 'untrusted',
    source,
    folders: folders.map(({ uri, name }) => ({ uri, name })),
    ...(folder && { folder: folder.uri }),
    ...(other && { otherFolder: other.uri }),
    ...(content.notices.length > 0 && { notices: content.notices }),
    ...(session && { session: openSessionView(ports, session, content.source) }),
    approvalMode: content.pendingMode ?? ports.defaultApprovalMode(),
    ...(noSandbox !== undefined && { noSandbox }),
    models: ports.models(),
    commands: slashCommands({ hasWork: false, isDemo, othersResumable }),
    sessions,
    adoptable: content.offers.map(({ folder: { uri, name }, sessions: { count, from } }) => ({
      folder: uri,
      from,
      text: adoptableText(count, from, several ? name : undefined),
    })),
  };
}

/** What one click takes instead: the folder of the active editor, else the next one. */
function otherFolder(
  folders: readonly FolderIdentity[],
  folder: FolderIdentity | undefined,
  active: FolderIdentity | undefined,
): FolderIdentity | undefined {
  if (active && active.uri !== folder?.uri) return active;
  return folders[(folders.findIndex(({ uri }) => uri === folder?.uri) + 1) % folders.length];
}

/** The open session, with what keeps it from being driven here. */
export function openSessionView(ports: PanelPorts, session: LiveSession, from: PanelSource): SessionView {
  const several = ports.folders().length > 1;
  const readOnly = session.heldElsewhere
    ? 'Another window is running this session. It can be watched and stopped here.'
    : ports.isTrusted()
      ? undefined
      : 'This folder is not trusted, so nothing runs in it. Manage trust to go on.';
  const { id, state, name } = session;
  const model = (state.chosenModel ?? lastRunHere(state))?.model ?? '';
  // What a resume would take where one is offered, else what a message would.
  const wanted = modelChoice(state, { cause: offeredAction(name) ?? 'message' });
  const next = from.setup && chooseConnection(from.setup, wanted, state.answers);
  const isDemo = next ? next.kind === 'demo' : from.kind === 'demo' && (from.only === true || !isEditorModel(model));
  const commands = slashCommands({
    ...{ state: name, hasWork: hasWork(state), othersResumable: false, isDemo },
    ...(readOnly !== undefined && { readOnly }),
  });
  const view: SessionView = {
    ...sessionView({
      id,
      state,
      name,
      defaultModel: ports.defaultModel(),
      defaultApprovalMode: ports.defaultApprovalMode(),
      contextWindow: (model) => ports.contextWindow(model),
      priceOf: (model) => ports.priceOf?.(model),
      // Of another window's run only the records are known.
      isStopping: session.isStopping,
      isWaiting: session.wait !== undefined || session.heldElsewhere,
      autoResume: ports.autoResume(),
      ...(several && { folderName: session.folder.name }),
      ...(session.inspection && { inspection: session.inspection }),
      ...(readOnly !== undefined && { readOnly }),
    }),
    commands,
  };
  const problem = session.problem ?? session.stored.damage;
  const answered = next && answeredBy(next, state.answers, view);
  const source = answered?.source ?? sessionSource(view.model, from);
  return {
    ...view,
    ...answered,
    ...(source !== undefined && { source }),
    ...(problem !== undefined && { problem }),
    ...(session.problem !== undefined && view.state === 'running' && !session.isStopping && { stateWord: 'paused' }),
  };
}

function rowView(ports: PanelPorts, row: ListedRow, several: boolean): SessionSummaryView {
  const cost = row.spending && costText(new Map(Object.entries(row.spending)), (model) => ports.priceOf?.(model));
  return {
    id: row.id,
    title: row.title === '' ? (row.problem === undefined ? untitled : 'Session that cannot be read') : row.title,
    state: row.state,
    stateWord: row.needsUser ? needsYou : row.retryAt !== undefined ? parkedWord : stateWords[row.state],
    needsUser: row.needsUser === true,
    description: row.problem ?? (row.cut === undefined ? '' : `while ${row.cut}`),
    updatedAt: row.updatedAt,
    ...(several && { folderName: row.folderName }),
    ...(row.retryAt !== undefined && { retryAt: row.retryAt }),
    ...(cost !== undefined && { cost }),
    resumable: row.problem === undefined && row.hasWork && offeredAction(row.state) !== undefined,
  };
}
