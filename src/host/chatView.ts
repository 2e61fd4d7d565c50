// The webview of the chat panel: its page, its content security policy, and the pipe to the panel's logic.
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { ChatPanel } from '../panel/chatPanel.ts';
import { panelMessageSchema, type HostMessage } from '../protocol/messages.ts';
import type { Log } from './log.ts';

/** The view in the secondary side bar, and the one in the activity bar for editors that have no such place. */
export const chatViewIds = { secondarySideBar: 'ratchet.chat', activityBar: 'ratchet.chatActivityBar' } as const;

/** The one of the two views that this editor shows: its container has a command only where it was accepted. */
export async function chatViewId(): Promise<string> {
  const known = await vscode.commands.getCommands(true);
  const accepted = known.includes('workbench.view.extension.ratchet-secondary');
  return accepted ? chatViewIds.secondarySideBar : chatViewIds.activityBar;
}

const wasVisibleKey = 'ratchet.chatWasVisible';
/** How long a view that was in sight last may take to come back, and one that was not. Milliseconds. */
const comesBackMs = 15_000;
const comesUpMs = 2_000;

export class ChatView implements vscode.WebviewViewProvider {
  readonly #extensionUri: vscode.Uri;
  readonly #workspace: string;
  readonly #panel: () => ChatPanel;
  readonly #log: Log;
  readonly #memory: vscode.Memento;
  readonly #waiting = new Set<() => void>();
  #isKnown = false;
  #view: vscode.WebviewView | undefined;

  /**
   * @param workspace names it over reloads, by letters and digits
   * @param memory of the workspace: whether the view is in sight outlives the window
   */
  constructor(extensionUri: vscode.Uri, workspace: string, memory: vscode.Memento, panel: () => ChatPanel, log: Log) {
    this.#extensionUri = extensionUri;
    this.#workspace = workspace;
    this.#memory = memory;
    this.#panel = panel;
    this.#log = log;
    const patience = setTimeout(
      () => {
        this.#know();
      },
      memory.get<boolean>(wasVisibleKey) === true ? comesBackMs : comesUpMs,
    );
    this.#waiting.add(() => {
      clearTimeout(patience);
    });
  }

  dispose(): void {
    this.#know();
  }

  /** Whether {@link isVisible} tells more than that the window has not come to it yet. */
  get isKnown(): boolean {
    return this.#isKnown;
  }

  /** Resolves when the view is there, or will most likely not come by itself. */
  whenKnown(): Promise<void> {
    return this.#isKnown
      ? Promise.resolve()
      : new Promise((resolve) => {
          this.#waiting.add(resolve);
        });
  }

  #know(): void {
    this.#isKnown = true;
    for (const go of this.#waiting) go();
    this.#waiting.clear();
  }

  #remember(isVisible: boolean): void {
    this.#memory.update(wasVisibleKey, isVisible).then(undefined, (error: unknown) => {
      this.#log('Whether the chat is in sight could not be remembered', error);
    });
  }

  get isVisible(): boolean {
    return this.#view?.visible ?? false;
  }

  set badge(badge: vscode.ViewBadge | undefined) {
    if (this.#view) this.#view.badge = badge;
  }

  set description(text: string | undefined) {
    if (this.#view) this.#view.description = text ?? '';
  }

  readonly post = (message: HostMessage): void => {
    // Resolves to false when the view is hidden; it asks for a snapshot when it comes back.
    this.#view?.webview.postMessage(message).then(undefined, (error: unknown) => {
      this.#log('A message to the panel was lost', error);
    });
  };

  resolveWebviewView(view: vscode.WebviewView): void {
    this.#view = view;
    this.#know();
    this.#remember(view.visible);
    const media = vscode.Uri.joinPath(this.#extensionUri, 'dist');
    view.webview.options = { enableScripts: true, localResourceRoots: [media] };
    const listeners = [
      view.webview.onDidReceiveMessage((message: unknown) => {
        this.#receive(message);
      }),
      view.onDidChangeVisibility(() => {
        this.#remember(view.visible);
        if (!view.visible) this.#panel().disconnect();
      }),
      view.onDidDispose(() => {
        this.#panel().disconnect();
        for (const listener of listeners) listener.dispose();
        if (this.#view === view) this.#view = undefined;
      }),
    ];
    view.webview.html = page(view.webview, media, this.#workspace);
  }

  #receive(message: unknown): void {
    const parsed = panelMessageSchema.safeParse(message);
    if (!parsed.success) {
      this.#log('The panel sent something that is not understood', parsed.error);
      return;
    }
    void this.#panel().receive(parsed.data);
  }
}

function page(webview: vscode.Webview, media: vscode.Uri, workspace: string): string {
  const nonce = randomBytes(16).toString('base64');
  const uri = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(media, name)).toString();
  const policy = [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    // Thumbnails of the images in a message: nothing is fetched for them.
    `img-src data:`,
  ].join('; ');
  return `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${uri('webview.css')}">
<title>Ratchet</title>
</head>
<body>
<div id="root" data-workspace="${workspace}"></div>
<script nonce="${nonce}" src="${uri('webview.js')}"></script>
</body>
</html>`;
}
