// The command's own shell: a process that waits at a gate, runs the command when let go, and writes down the command's exit code,
// so that the code is known even when the supervisor has died. When the supervisor dies before it lets go, the gate closes and the
// command never runs. A few lines of sh; on Windows the supervisor's own script in another role.

import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { createInterface } from 'node:readline';
import { once } from 'node:events';
import { replaceFile } from '../platform/durableFiles.ts';
import { jobFiles, type JobRecord } from './jobRecords.ts';

/** What opens the gate. */
export const goLine = 'go\n';

/** The role, as the supervisor script's third argument, in which it is the shell with the gate. */
export const gateRole = 'gate';

export interface ShellSetup {
  readonly folder: string;
  readonly job: JobRecord;
  readonly environment: Readonly<Record<string, string>>;
  /** An open file that both output streams of the command are appended to. */
  readonly outputFd: number;
  /** An open file for what the shell at the gate says itself: a word about the command's shell when that is killed. */
  readonly shellLogFd: number;
}

// The traps keep this shell alive when the command signals its whole group (`kill 0`): a caught signal, unlike an ignored one, is
// as usual again for the command. `read` fails when the gate's other end is closed. Once the command has ended, the signals are
// ignored, by the small programs that write its code down too: whoever ends the tree finds these as well.
// Its own stderr is a file of its own, in which a shell says of the command's shell that it was killed; the command's is 3.
const script = `
trap : HUP INT TERM
folder=$1
if read -r word && [ "$word" = go ]; then
  (exec "$2" -c "$3" </dev/null 2>&3 3>&-)
  code=$?
  trap '' HUP INT TERM
  { (umask 077; printf '%s\\n' "$code" >"$folder/code.tmp") && mv -f "$folder/code.tmp" "$folder/code" ||
    rm -f "$folder/code.tmp"; } 2>/dev/null
  exit "$code"
fi
(umask 077; : >"$folder/not_run")
exit 125
`;

/** Starts the shell in front of its gate (its stdin), in a process group and session of its own. */
export function spawnShell({ folder, job, environment, outputFd, shellLogFd }: ShellSetup): ChildProcess {
  const options = { cwd: job.cwd, detached: true, windowsHide: true } as const;
  const stdio: ['pipe', ...number[]] = ['pipe', outputFd, shellLogFd, outputFd];
  if (process.platform !== 'win32') {
    const parameters = ['-c', script, 'sh', folder, job.shell, job.command];
    return spawn('/bin/sh', parameters, { ...options, stdio, env: environment });
  }
  return spawn(process.execPath, gateArguments(folder, job), {
    ...options,
    stdio: ['pipe', outputFd, outputFd],
    env: { ...environment, ELECTRON_RUN_AS_NODE: '1' },
  });
}

/** The arguments with which the supervisor's script is the shell with the gate. */
export function gateArguments(folder: string, { shell, command }: Pick<JobRecord, 'shell' | 'command'>): string[] {
  return [process.argv[1] ?? '', folder, gateRole, shell, command];
}

/** The same as the sh script, in Node. Returns the code to exit with. */
export async function runGate(folder: string, shell: string, command: string): Promise<number> {
  const files = jobFiles(folder);
  const lines = createInterface({ input: process.stdin });
  let word: string | undefined;
  for await (const line of lines) {
    word = line;
    break;
  }
  process.stdin.destroy();
  if (`${word ?? ''}\n` !== goLine) {
    await writeFile(files.notRun, '', { mode: 0o600 });
    return 125;
  }
  const env = { ...process.env };
  // Meant for this process, not for the command.
  delete env.ELECTRON_RUN_AS_NODE;
  const child = spawn(command, { shell, env, stdio: ['ignore', 'inherit', 'inherit'], windowsHide: true });
  const code = await shellCode(child);
  await replaceFile(files.code, `${code}\n`);
  return code;
}

/** The signal that a shell's exit code stands for (128 + n), or null. */
export function signalOfCode(code: number): string | null {
  if (process.platform === 'win32') return null;
  const found = Object.entries(constants.signals).find(([, number]) => number === code - 128);
  return found?.[0] ?? null;
}

/** The shell that runs commands when none is set: bash where there is one, for it is what commands are mostly written for. */
export function defaultShell(): string {
  if (process.platform === 'win32') return process.env.ComSpec ?? 'cmd.exe';
  return ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash'].find((path) => existsSync(path)) ?? '/bin/sh';
}

async function shellCode(child: ChildProcess): Promise<number> {
  try {
    await once(child, 'exit');
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return 127;
  }
  return child.exitCode ?? 128 + (child.signalCode === null ? 0 : constants.signals[child.signalCode]);
}
