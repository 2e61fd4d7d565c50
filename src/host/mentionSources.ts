// Looks up in this editor what mentions stand for: files and unsaved documents, the selection, problems, the terminal.
import { isAbsolute, join } from 'node:path';
import * as vscode from 'vscode';
import { attachmentLimits } from '../core/attachments.ts';
import type { FolderIdentity } from '../core/events.ts';
import { headOf } from '../core/wellFormed.ts';
import type { EditorProblem, MentionSources } from '../panel/mentionSources.ts';
import { lookAtPath } from '../tools/mentionedPath.ts';
import { createPathIndex } from '../tools/pathIndex.ts';
import { openEditors, pathIn } from './folders.ts';
import type { TerminalOutput } from './terminalOutput.ts';

/** A character is four bytes at most. */
const maxBytes = attachmentLimits.each * 4;

export function createMentionSources(terminals: TerminalOutput): MentionSources {
  const index = createPathIndex(() => Date.now());
  return {
    paths: (folder) => index(folder.path),
    openPaths: (folder) => {
      const editors = openEditors(folder);
      return editors.ok ? editors.value.map(({ path }) => path) : [];
    },
    look: async (folder, path) => {
      const document = unsavedDocument(folder, path);
      if (!document) return lookAtPath(folder.path, path, maxBytes);
      const text = document.getText();
      const content = headOf(text, attachmentLimits.each);
      return { kind: 'file', path, content, isPart: content.length < text.length, isUnsaved: true };
    },
    selection: (folder) => {
      const editor = vscode.window.activeTextEditor;
      if (!editor || editor.selection.isEmpty) return undefined;
      const { document, selection } = editor;
      // A selection of whole lines ends before the first letter of the next one.
      const lastLine = selection.end.character === 0 ? selection.end.line : selection.end.line + 1;
      return {
        path: pathIn(folder, document.uri) ?? (document.isUntitled ? document.uri.path : document.uri.fsPath),
        firstLine: selection.start.line + 1,
        lastLine,
        text: document.getText(selection),
        isUnsaved: document.isDirty,
      };
    },
    problems: (folder) =>
      vscode.languages.getDiagnostics().flatMap(([uri, diagnostics]) => {
        const path = uri.scheme === 'file' || uri.scheme === 'vscode-remote' ? pathIn(folder, uri) : undefined;
        return path === undefined ? [] : diagnostics.map((diagnostic) => problemOf(path, diagnostic));
      }),
    terminal: () => terminals.active(),
    pathOf: (folder, uri) => {
      const parsed = isAbsolute(uri) ? vscode.Uri.file(uri) : parseUri(uri);
      return parsed && pathIn(folder, parsed);
    },
  };
}

function parseUri(text: string): vscode.Uri | undefined {
  try {
    const uri = vscode.Uri.parse(text, true);
    return uri.scheme === 'file' || uri.scheme === 'vscode-remote' ? uri : undefined;
  } catch {
    // Something that is no address was dropped.
    return undefined;
  }
}

function unsavedDocument(folder: FolderIdentity, path: string): vscode.TextDocument | undefined {
  const file = join(folder.path, path);
  return vscode.workspace.textDocuments.find(
    (document) => document.isDirty && !document.isUntitled && document.uri.fsPath === file,
  );
}

const severities: readonly EditorProblem['severity'][] = ['error', 'warning', 'info', 'hint'];

function problemOf(path: string, { range, severity, message, source, code }: vscode.Diagnostic): EditorProblem {
  const codeText = typeof code === 'object' ? String(code.value) : code === undefined ? '' : String(code);
  const origin = `${source ?? ''}${codeText === '' ? '' : `(${codeText})`}`;
  return {
    path,
    line: range.start.line + 1,
    column: range.start.character + 1,
    severity: severities[severity] ?? 'info',
    message,
    ...(origin !== '' && { source: origin }),
  };
}
