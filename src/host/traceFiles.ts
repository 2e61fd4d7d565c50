// Saves a trace to a file and makes a session of one. What was taken out of an export is shown before it is saved;
// a session that was imported is opened, and nothing of it runs.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { createExportRedactor, type ExportRedactor, type Redaction } from '../core/exportRedaction.ts';
import type { JournalHeader } from '../core/events.ts';
import { countOf } from '../core/words.ts';
import { createTraceMarkdown } from '../projection/traceMarkdown.ts';
import { exportTrace, linesFormat, type TraceFormat } from '../store/traceExport.ts';
import { revealChat, tell, type Runtime } from './runtime.ts';
import { pickFolder, sessionFor } from './sessionPick.ts';

const markdownOutputBytes = 64 * 1024;

/** Asks where to, by the name of the file in which form, shows what was taken out, and saves. */
export async function exportTraceFile(runtime: Runtime, sessionId: string | undefined): Promise<void> {
  const id = await sessionFor(runtime, sessionId, 'Session to export');
  if (id === undefined) return;
  const session = await runtime.sessions.open(id);
  const name = `${session.state.title.replace(/[^\w-]+/g, '-').slice(0, 40) || 'session'}.jsonl`;
  const target = await vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.file(join(session.folder.path, name)),
    filters: { 'Trace, can be imported': ['jsonl'], 'Markdown, to read': ['md'] },
    title: 'Export trace (.jsonl to import it again, .md to read)',
    saveLabel: 'Export',
  });
  if (!target) return;
  await runtime.keys.get();
  const redactor = createExportRedactor(runtime.keys.secrets());
  const folder = await mkdtemp(join(tmpdir(), 'ratchet-export-'));
  try {
    const isMarkdown = target.path.toLowerCase().endsWith('.md');
    const file = join(folder, isMarkdown ? 'trace.md' : 'trace.jsonl');
    const { header, storage } = session.stored;
    const format = isMarkdown ? markdownFormat(header, redactor) : linesFormat(header, redactor);
    await vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title: 'Exporting trace' }, () =>
      exportTrace(storage, file, format),
    );
    const redactions = redactor.redactions();
    if (redactions.length > 0 && !(await confirmRedactions(redactions))) return;
    await vscode.workspace.fs.copy(vscode.Uri.file(file), target, { overwrite: true });
    offerOpen(runtime, target, redactions);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function markdownFormat(header: JournalHeader, redactor: ExportRedactor): TraceFormat {
  const markdown = createTraceMarkdown(header);
  return {
    start: redactor.text(markdown.start()),
    event: (event, output) =>
      markdown.event(redactor.event(event), output && { ...output, text: redactor.text(output.text) }),
    outputBytes: markdownOutputBytes,
    cutPlace: redactor.cutPlace,
    end: (damage) => {
      const lost = damage.unreadableLines + damage.unknownRecords;
      return markdown.end(lost === 0 ? undefined : `${countOf(lost, 'record')} of the trace could not be read.`);
    },
  };
}

/** Shows what was taken out, each with what stands around it. False when the user backed out. */
async function confirmRedactions(redactions: readonly Redaction[]): Promise<boolean> {
  const total = redactions.reduce((sum, { count }) => sum + count, 0);
  const save = { label: '$(save) Save', description: `${countOf(total, 'place')} taken out` };
  const places = redactions.flatMap(({ kind, count, places: each }): readonly vscode.QuickPickItem[] => [
    { label: `${kind}: ${String(count)}`, kind: vscode.QuickPickItemKind.Separator },
    ...each.map((place) => ({ label: place })),
    ...(count > each.length ? [{ label: `and ${String(count - each.length)} more` }] : []),
  ]);
  // A look at a place is no decision: the list is shown again.
  for (;;) {
    const picked = await vscode.window.showQuickPick([save, ...places], {
      title: 'Taken out of the export because it looks like a secret',
      placeHolder: 'Save, or Escape to save nothing',
      ignoreFocusOut: true,
    });
    if (picked === undefined) return false;
    if (picked === save) return true;
  }
}

function offerOpen(runtime: Runtime, target: vscode.Uri, redactions: readonly Redaction[]): void {
  const taken = redactions.map(({ kind, count }) => `${kind} (${String(count)})`).join(', ');
  const words = taken === '' ? 'Nothing in it looks like a secret' : `Taken out: ${taken}`;
  const open = async (): Promise<void> => {
    await vscode.window.showTextDocument(target);
  };
  tell(runtime, {
    level: 'info',
    text: `The trace was saved to ${target.fsPath}. ${words}; read it before you share it.`,
    actions: [{ label: 'Open', run: open }],
  });
}

/** Makes a session of a trace that the user picks, and opens it. */
export async function importTraceFile(runtime: Runtime): Promise<void> {
  const folder = await pickFolder('Folder for the imported session');
  if (!folder) return;
  const [source] =
    (await vscode.window.showOpenDialog({
      defaultUri: vscode.Uri.file(folder.path),
      filters: { 'Session trace': ['jsonl'] },
      title: 'Import trace',
      openLabel: 'Import',
    })) ?? [];
  if (!source) return;
  const { sessionId, records, unreadable, leftOut } = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Window, title: 'Importing trace' },
    () => runtime.sessions.importTrace(folder, source.fsPath),
  );
  await runtime.panel.refresh();
  await runtime.panel.open(sessionId);
  await revealChat(runtime);
  const lost =
    unreadable === 0
      ? ''
      : ` ${countOf(unreadable, 'line')} could not be read and ${unreadable === 1 ? 'was' : 'were'} left out.`;
  const without = leftOut === 0 ? '' : ` Its permissions and settings (${countOf(leftOut, 'record')}) were left out.`;
  tell(runtime, {
    level: 'info',
    text: `${countOf(records, 'record')} imported.${lost}${without} Nothing runs until you resume it.`,
  });
}
