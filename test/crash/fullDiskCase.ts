// One case of a full disk: the job of the crash cases with its sessions on a small disk that is filled at a named moment,
// until the run has come to a stop by it; then the host is killed or not, there is space again, and the end is judged.
import { watch, type FSWatcher } from 'node:fs';
import { glob, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSmallDisk, type SmallDisk } from '../support/disk/smallDisk.ts';
import { startMessagesServer, type MessagesServer } from '../support/messagesServer/startMessagesServer.ts';
import { eventually } from '../support/session/eventually.ts';
import type { Programs } from './bundle.ts';
import { runHost, type HostEnd } from './hostRun.ts';
import { expectedOfJob, fillFolder, script } from './job.ts';
import { judge, type Violation } from './judge.ts';
import { killMarked, leftOver, standing } from './markedProcesses.ts';

/** A named place that the host, or the supervisor of its first job, stands still at while the disk is filled. */
export type Moment =
  | { readonly of: 'host'; readonly point: string; readonly pass: number }
  /** So many pages of 4 KiB are left free. */
  | { readonly of: 'supervisor'; readonly point: string; readonly left: number };

const diskKib = 2_048;
const goneLimitMs = 15_000;

/** Runs the case. Leaves no process, no folder and no disk behind. */
export async function runOnFullDisk(
  programs: Programs,
  moment: Moment,
  killed: boolean,
): Promise<readonly Violation[]> {
  const disk = await openSmallDisk(diskKib);
  if (typeof disk === 'string') throw new Error(disk);
  const base = await mkdtemp(join(tmpdir(), 'ratchet-full-disk-'));
  const server = await startMessagesServer({ script });
  const folder = join(base, 'folder');
  try {
    await mkdir(folder);
    await fillFolder(folder);
    const ends = await runToTheEnd({ programs, moment, killed, mark: base, folder, disk, server });
    const left = await leftOver(base, goneLimitMs);
    const root = join(disk.path, 'sessions');
    const judged = { folder, root, server, ends, expectedFiles: undefined, left, expected: expectedOfJob };
    return (await judge(judged)).violations;
  } finally {
    killMarked(base, () => true);
    await server.close();
    await disk.dispose();
    await rm(base, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Place {
  readonly programs: Programs;
  readonly moment: Moment;
  readonly killed: boolean;
  readonly mark: string;
  readonly folder: string;
  readonly disk: SmallDisk;
  readonly server: MessagesServer;
}

async function runToTheEnd(place: Place): Promise<readonly HostEnd[]> {
  const { programs, moment, killed, mark, folder, disk, server } = place;
  const setup = {
    root: join(disk.innerPath, 'sessions'),
    folder,
    baseURL: server.url,
    model: 'claude-opus-4-8',
    mode: 'resume' as const,
    supervisorScript: programs.supervisor,
  };
  const common = { programs, mark, through: disk.enter, onKill: () => undefined };
  /** The run stands, or has ended after all: some moments are so late, or what they write so dispensable. */
  const stands = Promise.withResolvers<undefined>();
  const halt = new AbortController();
  const ending = runHost({
    ...common,
    at: moment.of === 'host' ? { kind: 'stand', point: moment.point, pass: moment.pass } : undefined,
    halt: halt.signal,
    onLog: (text) => {
      if (text.includes('is paused')) stands.resolve(undefined);
    },
    setup: { ...setup, ...(moment.of === 'supervisor' && { doomed: { job: 1, at: `${moment.point}:1:stand` } }) },
  });
  void ending.then(() => {
    stands.resolve(undefined);
  });
  await eventually(async () => standing(mark).length > 0);
  const watchers = await watchExits(disk, () => {
    stands.resolve(undefined);
  });
  disk.fillBut(moment.of === 'supervisor' ? moment.left : 0);
  for (const { pid } of standing(mark)) process.kill(pid, 'SIGCONT');
  await stands.promise;
  for (const watcher of watchers) watcher.close();
  if (killed) halt.abort();
  const first = killed ? await ending : undefined;
  disk.free();
  if (!first) return [await ending];
  return first.killed ? [first, await runHost({ ...common, at: undefined, setup })] : [first];
}

/** Tells of each attempt to write down how a command ended: a host that waits for that is not paused. */
async function watchExits(disk: SmallDisk, onAttempt: () => void): Promise<readonly FSWatcher[]> {
  const watchers: FSWatcher[] = [];
  for await (const folder of glob(join(disk.path, 'sessions', '*', '*', 'jobs', '*'))) {
    const watcher = watch(folder);
    watcher.on('change', (_kind, name) => {
      if (String(name).startsWith('exit.json.')) onAttempt();
    });
    watchers.push(watcher);
  }
  return watchers;
}
