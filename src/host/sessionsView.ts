// The tree of sessions in the side bar. What it shows is projection/sessionTree.ts; here it is only drawn, and drawn
// again where it changed. A node is its id, so that commands of its menus get a session id as they do everywhere.
import * as vscode from 'vscode';
import { stepsOfLastRun } from '../core/runSteps.ts';
import { emptyTree, sessionTree, treeChanges, type LiveFacts, type SessionTree } from '../projection/sessionTree.ts';
import { openFolders } from './folders.ts';
import type { Runtime } from './runtime.ts';

export const sessionsViewId = 'ratchet.sessions';

/** What happens in a run comes many times a second; nobody reads a list that fast. */
const settleMs = 200;
/** Running times count; ages change by the minute. */
const tickMs = 1_000;
const ageMs = 30_000;

export class SessionsView implements vscode.TreeDataProvider<string>, vscode.Disposable {
  readonly #runtime: Pick<Runtime, 'panel' | 'log'>;
  readonly #changed = new vscode.EventEmitter<string[] | undefined>();
  readonly onDidChangeTreeData = this.#changed.event;
  readonly #view: vscode.TreeView<string>;
  readonly #listener: vscode.Disposable;
  #tree: SessionTree = emptyTree;
  #settling: NodeJS.Timeout | undefined;
  #clock: NodeJS.Timeout | undefined;

  constructor(runtime: Pick<Runtime, 'panel' | 'log'>) {
    this.#runtime = runtime;
    this.#view = vscode.window.createTreeView(sessionsViewId, { treeDataProvider: this, showCollapseAll: true });
    this.#listener = this.#view.onDidChangeVisibility(() => {
      this.#look();
    });
  }

  dispose(): void {
    clearTimeout(this.#settling);
    clearTimeout(this.#clock);
    this.#listener.dispose();
    this.#view.dispose();
    this.#changed.dispose();
  }

  /** Brings the view up to date with the list and the open session, a moment later. */
  update(): void {
    this.#settling ??= setTimeout(() => {
      this.#settling = undefined;
      this.#look();
    }, settleMs);
  }

  #look(): void {
    clearTimeout(this.#clock);
    const { panel } = this.#runtime;
    const tree = sessionTree(panel.rows, openFolders(), this.#live(), Date.now());
    const changes = treeChanges(this.#tree, tree);
    this.#tree = tree;
    if (changes === 'all') this.#changed.fire(undefined);
    else if (changes.length > 0) this.#changed.fire([...changes]);
    if (!this.#view.visible || tree.nodes.size === 0) return;
    const ticks = [...tree.nodes.values()].some((node) => node.kind === 'session' && node.ticks);
    this.#clock = setTimeout(
      () => {
        this.#look();
      },
      ticks ? tickMs : ageMs,
    );
  }

  #live(): LiveFacts | undefined {
    const { current } = this.#runtime.panel;
    if (!current) return undefined;
    return {
      id: current.id,
      state: current.name,
      needsUser: current.waitingApprovals.length > 0,
      runSteps: stepsOfLastRun(current.state),
      runStartedAt: current.state.runs.at(-1)?.startedAt,
    };
  }

  getChildren(id?: string): string[] {
    if (id === undefined) return [...this.#tree.roots];
    const node = this.#tree.nodes.get(id);
    return node?.kind === 'folder' ? [...node.children] : [];
  }

  getTreeItem(id: string): vscode.TreeItem {
    const node = this.#tree.nodes.get(id);
    // It went while the tree was being drawn: the next look takes it away.
    if (!node) return new vscode.TreeItem('');
    if (node.kind === 'folder') {
      const item = new vscode.TreeItem(node.label, vscode.TreeItemCollapsibleState.Expanded);
      return Object.assign(item, {
        id,
        description: node.description,
        iconPath: vscode.ThemeIcon.Folder,
        contextValue: 'folder',
      });
    }
    const item = new vscode.TreeItem(node.label, vscode.TreeItemCollapsibleState.None);
    const color = node.color === undefined ? undefined : new vscode.ThemeColor(node.color);
    return Object.assign(item, {
      id,
      description: node.description,
      tooltip: node.tooltip,
      iconPath: new vscode.ThemeIcon(node.icon, color),
      contextValue: node.context,
      accessibilityInformation: { label: `${node.title}, ${node.description}` },
      command: { command: 'ratchet.openSession', title: 'Open Session', arguments: [id] },
    });
  }
}
