// One host process of a crash case: started, listened to, killed when its moment comes, and waited for.
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterCalm } from '../../scripts/calmTime.ts';
import { crashVariable } from '../../src/platform/crashPoint.ts';
import type { Programs } from './bundle.ts';
import type { KillMoment } from './crashCase.ts';
import type { HostSetup } from './hostProcess.ts';
import { markVariable } from './markedProcesses.ts';

export interface HostEnd {
  /** It died by the kill that was planned for it. */
  readonly killed: boolean;
  /** The supervisor that was to die was started. */
  readonly doomed: boolean;
  /** The state of the session when it ended by itself, with the reason where there is one. */
  readonly state: string | undefined;
  /** The lines of the journal that it had acknowledged. */
  readonly acknowledged: readonly string[];
  /** What it complained about. */
  readonly log: string;
  /** Set when it neither ended nor died in the time that a run can need. */
  readonly hung: boolean;
}

export interface HostRun {
  readonly programs: Programs;
  readonly mark: string;
  readonly at: KillMoment | undefined;
  readonly onKill: () => void;
  /** Told what it complains about, as it does. */
  readonly onLog?: (text: string) => void;
  /** Kills it. */
  readonly halt?: AbortSignal;
  /** What its command line begins with: a program that runs it elsewhere. */
  readonly through?: readonly string[];
  readonly setup: HostSetup;
}

/** Far more than a run needs on a busy machine, in milliseconds. */
const longestRunMs = 120_000;

/** Runs a host to its end or its death. */
export async function runHost(run: HostRun): Promise<HostEnd> {
  const { programs, mark, at, onKill, onLog, halt, through = [], setup } = run;
  const [program, ...line] = [...through, process.execPath, programs.host, JSON.stringify(setup)];
  const host = spawn(program, line, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: programs.compileCache,
      [markVariable]: mark,
      ...(at?.kind === 'point' && { [crashVariable]: `${at.point}:${at.pass}` }),
      ...(at?.kind === 'stand' && { [crashVariable]: `${at.point}:${at.pass}:stand` }),
    },
  });
  const closed = once(host, 'close');
  const acknowledged: string[] = [];
  let state: string | undefined;
  let log = '';
  let doomed = false;
  let hung = false;
  const timers: NodeJS.Timeout[] = [];
  const killIn = (ms: number): void => {
    timers.push(
      setTimeout(() => {
        host.kill('SIGKILL');
        onKill();
      }, ms),
    );
  };
  const takeLimitBack = afterCalm(longestRunMs, () => {
    hung = true;
    host.kill('SIGKILL');
  });
  halt?.addEventListener('abort', () => {
    host.kill('SIGKILL');
  });
  createInterface({ input: host.stdout }).on('line', (line) => {
    if (line === 'ready' && at?.kind === 'time') killIn(at.ms);
    else if (line === 'doomed') {
      doomed = true;
      if (at?.kind === 'supervisor' && at.hostMs !== undefined) killIn(at.hostMs);
    } else if (line.startsWith('ended ')) state = line.slice('ended '.length).trim();
    else if (line.startsWith('ack ')) {
      acknowledged.push(line.slice('ack '.length));
      if (at?.kind === 'record' && at.count === acknowledged.length) killIn(at.ms);
    }
  });
  host.stderr.setEncoding('utf8').on('data', (text: string) => {
    log += text;
    onLog?.(text);
  });
  if (at?.kind === 'point') {
    host.once('exit', (_code, signal) => {
      if (signal === 'SIGKILL') onKill();
    });
  }
  await closed;
  takeLimitBack();
  for (const timer of timers) clearTimeout(timer);
  return { killed: wasKilled(host) && !hung, doomed, state, acknowledged, log, hung };
}

function wasKilled(host: ChildProcess): boolean {
  return host.signalCode === 'SIGKILL';
}
