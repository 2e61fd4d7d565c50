// One crash case: a session that is begun, killed as its list of kills says, gone on with until it is done, and judged.
// Must never know which cases there are.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMessagesServer, type MessagesServer } from '../support/messagesServer/startMessagesServer.ts';
import type { Programs } from './bundle.ts';
import { runHost, type HostEnd } from './hostRun.ts';
import { featureNames, features, type FeatureName } from './features/all.ts';
import type { Feature } from './features/feature.ts';
import { expectedOfJob, fillFolder, longScript, script, smallWindow } from './job.ts';
import { judge, type Violation } from './judge.ts';
import { killMarked, leftOver } from './markedProcesses.ts';
import { tearJournal } from './tornTail.ts';

/** Where a host is killed. */
export type KillMoment =
  /** By itself, at a named place, the pass of it counted from 1. */
  | { readonly kind: 'point'; readonly point: string; readonly pass: number }
  /** Not at all: it stands still at a named place until it gets a SIGCONT. */
  | { readonly kind: 'stand'; readonly point: string; readonly pass: number }
  /** So many milliseconds after it was ready. */
  | { readonly kind: 'time'; readonly ms: number }
  /** So many milliseconds after it acknowledged so many records. */
  | { readonly kind: 'record'; readonly count: number; readonly ms: number }
  /** The supervisor of one of its jobs dies at a named place; the host so many milliseconds after its start, or not. */
  | { readonly kind: 'supervisor'; readonly point: string; readonly job: number; readonly hostMs: number | undefined };

export interface Kill {
  readonly at: KillMoment;
  /** Who dies: the host alone, its supervisors with it, or all that it started, commands too. */
  readonly who: 'host' | 'supervisors' | 'everything';
  /** Where the end of the journal is torn then, if it is: see tearJournal. */
  readonly tear: number | undefined;
}

/** What a case goes through: the job, its long form in a window that does not hold it, or one feature. */
export const forms = ['job', 'longJob', ...featureNames] as const;
export type Form = (typeof forms)[number];

export interface CrashCase {
  readonly number: number;
  readonly model: string;
  readonly mode: 'resume' | 'retry';
  readonly form: Form;
  readonly kills: readonly Kill[];
}

export interface CaseResult {
  readonly number: number;
  readonly kills: number;
  /** The places that hosts or supervisors really died at. */
  readonly reached: readonly string[];
  readonly resumes: number;
  readonly stepsRunTwice: number;
  readonly stepsLost: number;
  readonly refused: number;
  readonly leftOver: number;
  readonly violations: readonly Violation[];
}

export interface CaseSetup {
  readonly programs: Programs;
  /** The files of a run of the same form that nothing interrupted; undefined while that run itself is judged. */
  readonly expectedFiles: (form: Form) => ReadonlyMap<string, string> | undefined;
  /** Keeps the folder of a case that failed, for a look. */
  readonly keep: boolean;
  readonly onFiles?: (files: ReadonlyMap<string, string>) => void;
}

/** How long what a case started may take to go after the case is done, in milliseconds. */
const goneLimitMs = 15_000;

/** Runs one case from its beginning to the verdict. Leaves no process and no folder behind. */
export async function runCase(crash: CrashCase, setup: CaseSetup): Promise<CaseResult> {
  const base = await mkdtemp(join(tmpdir(), 'ratchet-crash-'));
  const mark = base;
  const folder = join(base, 'folder');
  const root = join(base, 'sessions');
  await mkdir(folder);
  const feature = featureOf(crash.form);
  await fillFolder(folder, feature?.files);
  const server = await startMessagesServer({ script: feature?.script() ?? (isLong(crash) ? longScript : script) });
  let failed = true;
  try {
    const ends = await runToTheEnd(crash, setup.programs, { mark, folder, root, server });
    const left = await leftOver(mark, goneLimitMs);
    const verdict = await judge({
      folder,
      root,
      server,
      ends: ends.all,
      expectedFiles: setup.expectedFiles(crash.form),
      left,
      expected: feature?.expected ?? expectedOfJob,
      ...(feature && { broken: feature.broken }),
    });
    setup.onFiles?.(verdict.files);
    failed = verdict.violations.length > 0;
    return {
      number: crash.number,
      kills: ends.kills,
      reached: ends.reached,
      ...verdict.counts,
      leftOver: left.length,
      violations: verdict.violations,
    };
  } finally {
    killMarked(mark, () => true);
    await server.close();
    if (!failed || !setup.keep) await rm(base, { recursive: true, force: true, maxRetries: 5 });
    else console.error(`case ${crash.number}: kept in ${base}`);
  }
}

function nameOf(form: Form): FeatureName | undefined {
  return form === 'job' || form === 'longJob' ? undefined : form;
}

function featureOf(form: Form): Feature | undefined {
  const name = nameOf(form);
  return name && features[name];
}

function isLong({ form }: CrashCase): boolean {
  return form === 'longJob';
}

interface Place {
  readonly mark: string;
  readonly folder: string;
  readonly root: string;
  readonly server: MessagesServer;
}

interface Ends {
  readonly all: readonly HostEnd[];
  readonly kills: number;
  readonly reached: readonly string[];
}

/** One host after the other: each is killed as planned, and the last one is left alone. */
async function runToTheEnd(crash: CrashCase, programs: Programs, place: Place): Promise<Ends> {
  const { mark, folder, root, server } = place;
  const all: HostEnd[] = [];
  const reached: string[] = [];
  let kills = 0;
  for (const kill of [...crash.kills, undefined]) {
    const end = await runHost({
      programs,
      mark,
      at: kill?.at,
      // What goes down together goes down at the same moment.
      onKill: () => {
        if (kill !== undefined) killAround(mark, kill);
      },
      setup: {
        root,
        folder,
        baseURL: server.url,
        model: crash.model,
        mode: crash.mode,
        ...(isLong(crash) && { contextWindow: smallWindow }),
        feature: nameOf(crash.form),
        supervisorScript: programs.supervisor,
        ...(kill?.at.kind === 'supervisor' && { doomed: { job: kill.at.job, at: kill.at.point } }),
      },
    });
    all.push(end);
    kills += (end.killed ? 1 : 0) + (end.doomed ? 1 : 0);
    if (kill?.at.kind === 'point' && end.killed) reached.push(kill.at.point);
    if (kill?.at.kind === 'supervisor' && end.doomed) reached.push(kill.at.point);
    if (end.killed && kill?.tear !== undefined) {
      await tearJournal(root, new Set(all.flatMap(({ acknowledged }) => acknowledged)), kill.tear);
    }
    if (!end.killed) break;
  }
  return { all, kills, reached };
}

function killAround(mark: string, { who }: Kill): void {
  if (who === 'host') return;
  killMarked(mark, ({ commandLine }) => who === 'everything' || commandLine.includes('supervisor.cjs'));
}
