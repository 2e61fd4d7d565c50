// What the terminals of this window printed since the extension began, in memory only: the editor gives no output of
// before, and none of shells without its integration.
import * as vscode from 'vscode';
import { cleanOutput } from '../core/jobOutput.ts';
import { tailOf } from '../core/wellFormed.ts';
import type { TerminalLook } from '../panel/mentionSources.ts';
import type { Log } from './log.ts';

/** Commands that are kept of each terminal, and characters of each. */
const keptRuns = 5;
const keptOutput = 60_000;

interface Run {
  readonly execution: vscode.TerminalShellExecution;
  output: string;
  /** Known when all of the output is. */
  exitCode: number | undefined;
  /** Resolves when the output has been read to its end. */
  read: Promise<void>;
}

export class TerminalOutput implements vscode.Disposable {
  readonly #runs = new Map<vscode.Terminal, Run[]>();
  readonly #log: Log;
  readonly #listeners: readonly vscode.Disposable[];

  constructor(log: Log) {
    this.#log = log;
    this.#listeners = [
      vscode.window.onDidStartTerminalShellExecution(({ terminal, execution }) => {
        this.#begin(terminal, execution);
      }),
      vscode.window.onDidEndTerminalShellExecution(({ terminal, execution, exitCode }) => {
        const run = this.#runs.get(terminal)?.find((each) => each.execution === execution);
        // The end may be told before the last of the output was handed over.
        void run?.read.then(() => (run.exitCode = exitCode));
      }),
      vscode.window.onDidCloseTerminal((terminal) => {
        this.#runs.delete(terminal);
      }),
    ];
  }

  dispose(): void {
    for (const listener of this.#listeners) listener.dispose();
    this.#runs.clear();
  }

  /** The active terminal; undefined when there is none. */
  active(): TerminalLook | undefined {
    const terminal = vscode.window.activeTerminal;
    if (!terminal) return undefined;
    const runs = this.#runs.get(terminal) ?? [];
    return {
      name: terminal.name,
      runs: runs.map(({ execution, output, exitCode }) => ({
        command: execution.commandLine.value,
        output: cleanOutput(output),
        ...(exitCode !== undefined && { exitCode }),
      })),
    };
  }

  #begin(terminal: vscode.Terminal, execution: vscode.TerminalShellExecution): void {
    const run: Run = { execution, output: '', exitCode: undefined, read: Promise.resolve() };
    this.#runs.set(terminal, [...(this.#runs.get(terminal) ?? []), run].slice(-keptRuns));
    // At once: what was printed before is not given.
    run.read = this.#read(run).catch((error: unknown) => {
      this.#log('The output of a terminal could not be followed', error);
    });
  }

  async #read(run: Run): Promise<void> {
    for await (const data of run.execution.read()) run.output = tailOf(run.output + data, keptOutput);
  }
}
