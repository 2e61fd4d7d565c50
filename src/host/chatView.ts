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

export class ChatView implements vscode.WebviewViewProvider {
  readonly #extensionUri: vscode.Uri;
  readonly #panel: () => ChatPanel;
  readonly #log: Log;
  #view: vscode.WebviewView | undefined;

  constructor(extensionUri: vscode.Uri, panel: () => ChatPanel, log: Log) {
    this.#extensionUri = extensionUri;
    this.#panel = panel;
    this.#log = log;
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
    const media = vscode.Uri.joinPath(this.#extensionUri, 'dist');
    view.webview.options = { enableScripts: true, localResourceRoots: [media] };
    const listeners = [
      view.webview.onDidReceiveMessage((message: unknown) => {
        this.#receive(message);
      }),
      view.onDidChangeVisibility(() => {
        if (!view.visible) this.#panel().disconnect();
      }),
      view.onDidDispose(() => {
        this.#panel().disconnect();
        for (const listener of listeners) listener.dispose();
        if (this.#view === view) this.#view = undefined;
      }),
    ];
    view.webview.html = page(view.webview, media);
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

function page(webview: vscode.Webview, media: vscode.Uri): string {
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
<div id="root"></div>
<script nonce="${nonce}" src="${uri('webview.js')}"></script>
</body>
</html>`;
}
