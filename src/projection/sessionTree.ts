// The sessions view: which nodes there are, what each says, and which of them a change concerns. Pure; the editor's tree
// only draws it. It must never know how a node is drawn or what a click does.
import type { FolderIdentity, SessionStateName } from '../core/events.ts';
import { offeredAction } from '../core/launchPlan.ts';
import { visibleLine } from '../core/visibleText.ts';
import { ellipsis } from '../core/wellFormed.ts';
import { ageText } from '../core/words.ts';
import { needsYou, stateWords, summaryLine, untitled } from './sessionView.ts';

/** What a list knows of a session. */
export interface TreeSession {
  readonly id: string;
  readonly folder: FolderIdentity;
  readonly title: string;
  readonly state: SessionStateName;
  readonly hasWork: boolean;
  readonly needsUser?: boolean;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly cut?: string | undefined;
  readonly retryAt?: number | undefined;
  readonly problem?: string;
  /** Steps of the last run, where its beginning is known. */
  readonly runSteps?: number | undefined;
  /** When the last run began. Milliseconds since 1970. */
  readonly runStartedAt?: number | undefined;
}

/** What is known of the open session as it is now; its row in the list is read a moment later. */
export type LiveFacts = Pick<TreeSession, 'id' | 'state' | 'needsUser' | 'runSteps' | 'runStartedAt'>;

/** Names of codicons: each state has a shape of its own, so that none is told by its colour alone. */
const icons = {
  created: { icon: 'circle-outline' },
  running: { icon: 'sync~spin', color: 'charts.blue' },
  done: { icon: 'check', color: 'testing.iconPassed' },
  failed: { icon: 'error', color: 'list.errorForeground' },
  cancelled: { icon: 'debug-pause', color: 'list.warningForeground' },
  timed_out: { icon: 'watch', color: 'list.warningForeground' },
  interrupted: { icon: 'debug-disconnect', color: 'list.warningForeground' },
  parked: { icon: 'clock', color: 'list.warningForeground' },
  needsUser: { icon: 'bell-dot', color: 'list.warningForeground' },
  unreadable: { icon: 'warning', color: 'list.warningForeground' },
} as const;

/** What can be done with a session: the menus of the view go by it. */
export type TreeContext = 'running' | 'resumable' | 'retryable' | 'idle' | 'unreadable';

export interface SessionNode {
  readonly kind: 'session';
  readonly id: string;
  /** The whole title, which may be long; the label leaves room for the description beside it. */
  readonly title: string;
  readonly label: string;
  readonly description: string;
  readonly tooltip: string;
  readonly icon: string;
  /** A colour of the theme; the text's own when absent. */
  readonly color?: string;
  readonly context: TreeContext;
  /** Its description counts seconds. */
  readonly ticks: boolean;
}

export interface FolderNode {
  readonly kind: 'folder';
  /** The URI of the folder. */
  readonly id: string;
  readonly label: string;
  readonly description: string;
  readonly children: readonly string[];
}

export type TreeNode = SessionNode | FolderNode;

export interface SessionTree {
  /** Ids of the nodes at the top. */
  readonly roots: readonly string[];
  readonly nodes: ReadonlyMap<string, TreeNode>;
}

export const emptyTree: SessionTree = { roots: [], nodes: new Map() };

/**
 * The tree of the sessions of the open folders: flat where one folder is open, else by folder, in the order of the
 * workspace; newest first.
 * @param now milliseconds since 1970
 */
export function sessionTree(
  rows: readonly TreeSession[],
  folders: readonly FolderIdentity[],
  live: LiveFacts | undefined,
  now: number,
): SessionTree {
  const nodes = new Map<string, TreeNode>();
  const sorted = rows
    .map((row) => (row.id === live?.id ? { ...row, ...live } : row))
    .sort((a, b) => b.updatedAt - a.updatedAt || (a.id < b.id ? 1 : -1));
  for (const row of sorted) nodes.set(row.id, sessionNode(row, now));
  if (folders.length < 2) return { roots: sorted.map(({ id }) => id), nodes };
  const groups = folders.flatMap(({ uri, name, path }): readonly FolderNode[] => {
    const own = sorted.filter((row) => row.folder.uri === uri);
    if (own.length === 0) return [];
    const twins = folders.filter((folder) => folder.name === name).length;
    return [
      {
        kind: 'folder',
        id: uri,
        label: visibleLine(name),
        description: twins > 1 ? visibleLine(path) : String(own.length),
        children: own.map(({ id }) => id),
      },
    ];
  });
  for (const group of groups) nodes.set(group.id, group);
  return { roots: groups.map(({ id }) => id), nodes };
}

/** The nodes that look other than before; `all` when nodes came, went or moved. */
export function treeChanges(before: SessionTree, after: SessionTree): 'all' | readonly string[] {
  if (before.nodes.size !== after.nodes.size || !sameIds(before.roots, after.roots)) return 'all';
  const changed: string[] = [];
  for (const [id, node] of after.nodes) {
    const old = before.nodes.get(id);
    if (old?.kind !== node.kind) return 'all';
    if (old.kind === 'folder' && node.kind === 'folder' && !sameIds(old.children, node.children)) return 'all';
    if (JSON.stringify(old) !== JSON.stringify(node)) changed.push(id);
  }
  return changed;
}

function sameIds(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id, index) => id === b[index]);
}

/** The editor cuts the description first, and how a session stands is what the view is for. */
const labelLength = 25;

function sessionNode(row: TreeSession, now: number): SessionNode {
  const title = row.title === '' ? untitled : visibleLine(row.title, 'prose');
  const description = row.problem === undefined ? descriptionOf(row, now) : 'cannot be read';
  const detail =
    row.problem ?? (row.cut !== undefined && offeredAction(row.state) ? `Cut while ${visibleLine(row.cut)}` : '');
  return {
    kind: 'session',
    id: row.id,
    title,
    label: ellipsis(title, labelLength),
    description,
    // Without what counts: a tooltip that is open must not be drawn anew each second.
    tooltip: [title, row.problem === undefined ? stateText(row) : '', detail, visibleLine(row.folder.path)]
      .filter((line) => line !== '')
      .join('\n'),
    ...icons[iconOf(row)],
    context: contextOf(row),
    ticks: row.problem === undefined && row.state === 'running' && !row.needsUser && row.runStartedAt !== undefined,
  };
}

function stateText(row: TreeSession): string {
  return row.state === 'running' && row.needsUser ? needsYou : stateWords[row.state];
}

function iconOf(row: TreeSession): keyof typeof icons {
  if (row.problem !== undefined) return 'unreadable';
  if (row.state === 'running' && row.needsUser) return 'needsUser';
  return row.state === 'failed' && row.retryAt !== undefined ? 'parked' : row.state;
}

function contextOf({ problem, state, hasWork }: TreeSession): TreeContext {
  if (problem !== undefined) return 'unreadable';
  if (state === 'running') return 'running';
  const action = hasWork ? offeredAction(state) : undefined;
  return action === 'retry' ? 'retryable' : action === 'resume' ? 'resumable' : 'idle';
}

const ends: Readonly<Partial<Record<SessionStateName, string>>> = {
  interrupted: 'cut',
  cancelled: 'stopped',
  timed_out: 'timed out',
  failed: 'failed',
};

/** "needs you", "running 02:41", "cut at step 7, 4 min ago", "done, 3 h ago". */
function descriptionOf(row: TreeSession, now: number): string {
  const { state, runSteps = 0, runStartedAt, retryAt } = row;
  if (state === 'running') {
    if (row.needsUser) return needsYou;
    return runStartedAt === undefined ? stateWords.running : `${stateWords.running} ${clockText(now - runStartedAt)}`;
  }
  const age = now - row.updatedAt;
  const end = ends[state];
  if (retryAt !== undefined || end === undefined || runSteps === 0)
    return summaryLine(state, undefined, age, retryAt === undefined ? undefined : retryAt - now);
  return `${end} at step ${String(runSteps)}, ${ageText(age)}`;
}

/** "00:04", "02:41", "1:02:41": of one width while it counts. */
function clockText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1_000));
  const two = (value: number): string => String(value).padStart(2, '0');
  const rest = `${two(Math.floor((seconds % 3_600) / 60))}:${two(seconds % 60)}`;
  return seconds < 3_600 ? rest : `${String(Math.floor(seconds / 3_600))}:${rest}`;
}
