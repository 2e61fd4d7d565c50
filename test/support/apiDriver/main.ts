// An extension of the tests' own: hands the API that Ratchet's activate() returns to a test outside of the editor, over
// loopback. Each extension host says in a file where it listens. Bundled and packaged by install.ts.
import { writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import path from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import * as vscode from 'vscode';
import { PublishedEvents, ratchetApi } from '../session/hostApi.ts';
import { callSchema, foldersVariable, type Answer, type Call } from './calls.ts';

export function activate(context: vscode.ExtensionContext): void {
  const folder = process.env[foldersVariable];
  if (folder === undefined) return;
  const server = createServer((request, response) => {
    void answer(request).then((said) => response.end(JSON.stringify(said)));
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (address === null || typeof address === 'string') return;
    void writeFile(path.join(folder, String(process.pid)), String(address.port));
  });
  context.subscriptions.push(new vscode.Disposable(() => server.close()));
}

async function answer(request: IncomingMessage): Promise<Answer> {
  try {
    return { ok: true, value: await run(callSchema.parse(JSON.parse(await text(request)))) };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unexpected';
    return { ok: false, code, message: String(error) };
  }
}

/** Resolves with a string, which most calls have no use for. */
async function run(call: Call): Promise<string> {
  const api = await ratchetApi();
  switch (call.method) {
    case 'create':
      return (await api.createSession()).id;
    case 'find':
      return (await api.listSessions()).find(({ title }) => title === call.title)?.id ?? '';
    case 'resume':
      return (await api.resumeSession(call.sessionId)).priorState;
    case 'open': {
      const document = await vscode.workspace.openTextDocument(call.path);
      const { end } = document.lineAt(document.lineCount - 1).range;
      await vscode.window.showTextDocument(document, { preview: false, selection: new vscode.Range(end, end) });
      return '';
    }
    case 'reportLinesWith':
      reportLinesWith(call.word);
      return '';
    case 'send': {
      const events = new PublishedEvents(api, call.sessionId);
      try {
        await api.sendMessage(call.sessionId, call.text);
        return (await events.ended()).outcome;
      } finally {
        events.dispose();
      }
    }
  }
}

/** Lives as long as its extension host. */
function reportLinesWith(word: string): void {
  const problems = vscode.languages.createDiagnosticCollection('driver');
  const look = (document: vscode.TextDocument): void => {
    const lines = document.uri.scheme === 'file' ? document.getText().split('\n') : [];
    const found = lines.flatMap((line, n) =>
      line.includes(word)
        ? [new vscode.Diagnostic(new vscode.Range(n, 0, n, line.length), `"${word}" is not allowed`)]
        : [],
    );
    problems.set(document.uri, found);
  };
  vscode.workspace.onDidChangeTextDocument(({ document }) => {
    look(document);
  });
  vscode.workspace.textDocuments.forEach(look);
}
