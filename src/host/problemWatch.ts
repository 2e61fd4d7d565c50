// What language services say about one file, before a change and once they have looked at it. They never say that they
// are done: quiet for a moment after they spoke is taken for it, and there is a limit.
import { basename, extname } from 'node:path';
import * as vscode from 'vscode';
import type { Problem } from '../core/problems.ts';
import type { ProblemWatch } from '../tools/editorFiles.ts';
import { isSameFile } from './sameFile.ts';

/** How long it is waited in all where some service is known to look at such files, and where none is. */
const patienceMs = 2_000;
const shortPatienceMs = 700;
/** Quiet for so long after they spoke: settled. */
const quietMs = 300;

/** Undefined when the file is in no editor and no service says anything about files like it. */
export async function watchProblems(path: string): Promise<ProblemWatch | undefined> {
  const reported = vscode.languages.getDiagnostics().filter(([, found]) => found.length > 0);
  const isLookedAt = reported.some(([{ fsPath }]) => extname(fsPath) === extname(path));
  const uri = await uriOf(
    path,
    reported.map(([each]) => each),
  );
  if (!uri.isOpen && !isLookedAt) return undefined;
  return new FileProblems(uri.uri, isLookedAt ? patienceMs : shortPatienceMs);
}

/** How the editor calls the file. */
async function uriOf(
  path: string,
  reported: readonly vscode.Uri[],
): Promise<{ readonly uri: vscode.Uri; readonly isOpen: boolean }> {
  const name = basename(path).toLowerCase();
  const isAlike = (uri: vscode.Uri): boolean => basename(uri.fsPath).toLowerCase() === name;
  for (const { uri } of vscode.workspace.textDocuments) {
    if (isAlike(uri) && (await isSameFile(uri.fsPath, path))) return { uri, isOpen: true };
  }
  for (const uri of reported) if (isAlike(uri) && (await isSameFile(uri.fsPath, path))) return { uri, isOpen: false };
  return { uri: vscode.Uri.file(path), isOpen: false };
}

class FileProblems implements ProblemWatch {
  readonly before: readonly Problem[];
  readonly #uri: vscode.Uri;
  readonly #patienceMs: number;
  readonly #listeners: readonly vscode.Disposable[];
  /** Somebody spoke about the file since the change reached its document, or since the beginning where none is open. */
  #hasSpoken = false;
  #onSpoken: () => void = () => undefined;

  constructor(uri: vscode.Uri, patience: number) {
    this.#uri = uri;
    this.#patienceMs = patience;
    this.before = problemsOf(uri);
    const name = uri.toString();
    this.#listeners = [
      vscode.languages.onDidChangeDiagnostics(({ uris }) => {
        if (!uris.some((each) => each.toString() === name)) return;
        this.#hasSpoken = true;
        this.#onSpoken();
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        // What was said until here was said of the old text.
        if (document.uri.toString() === name && contentChanges.length > 0) this.#hasSpoken = false;
      }),
    ];
  }

  async settled(signal: AbortSignal): Promise<readonly Problem[]> {
    await new Promise<void>((resolve) => {
      let quiet: NodeJS.Timeout | undefined;
      const finish = (): void => {
        clearTimeout(quiet);
        clearTimeout(limit);
        signal.removeEventListener('abort', finish);
        this.#onSpoken = () => undefined;
        resolve();
      };
      const limit = setTimeout(finish, this.#patienceMs);
      this.#onSpoken = () => {
        clearTimeout(quiet);
        quiet = setTimeout(() => {
          if (this.#hasSpoken) finish();
        }, quietMs);
      };
      if (signal.aborted) finish();
      else signal.addEventListener('abort', finish, { once: true });
      if (this.#hasSpoken) this.#onSpoken();
    });
    return problemsOf(this.#uri);
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
  }
}

function problemsOf(uri: vscode.Uri): readonly Problem[] {
  return vscode.languages.getDiagnostics(uri).flatMap(({ severity, message, range, source }) => {
    const known = severityWord(severity);
    return known
      ? [{ severity: known, line: range.start.line + 1, message, ...(source !== undefined && { source }) }]
      : [];
  });
}

function severityWord(severity: vscode.DiagnosticSeverity): Problem['severity'] | undefined {
  switch (severity) {
    case vscode.DiagnosticSeverity.Error:
      return 'error';
    case vscode.DiagnosticSeverity.Warning:
      return 'warning';
    case vscode.DiagnosticSeverity.Information:
    case vscode.DiagnosticSeverity.Hint:
      return undefined;
  }
}
