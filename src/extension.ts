// The entry point of the extension: registers the chat view and one command.
import * as vscode from 'vscode';

/** Called by VS Code once, when the view or a command is first used. */
export function activate(context: vscode.ExtensionContext): void {
  const log = vscode.window.createOutputChannel('Ratchet', { log: true });
  log.info('activated');
  context.subscriptions.push(
    log,
    vscode.window.registerWebviewViewProvider('ratchet.chat', {
      resolveWebviewView: (view) => {
        view.webview.options = { enableScripts: true };
        view.webview.html = '<!DOCTYPE html><html><body><h1>Ratchet</h1></body></html>';
      },
    }),
    vscode.commands.registerCommand('ratchet.newSession', () => {
      void vscode.window.showInformationMessage('A new session', 'Open');
    }),
  );
}
