import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { bundlePrograms, type Programs } from '../crash/bundle.ts';
import { runHost, type HostEnd } from '../crash/hostRun.ts';
import { fillFolder, script } from '../crash/job.ts';
import { judge } from '../crash/judge.ts';
import { killMarked, leftOver, standing } from '../crash/markedProcesses.ts';
import { openSmallDisk, type SmallDisk } from '../support/disk/smallDisk.ts';
import { startMessagesServer } from '../support/messagesServer/startMessagesServer.ts';
import { eventually } from '../support/session/eventually.ts';

/** Where the disk is full all at once: a place of the host, or of the supervisor of its first job. */
interface Moment {
  readonly point: string;
  readonly pass: number;
  readonly of: 'host' | 'supervisor';
  /** Pages that are left. */
  readonly left?: number;
}

const host = (point: string, pass = 1, left = 0): Moment => ({ point, pass, of: 'host', left });
const supervisor = (point: string, left = 0): Moment => ({ point, pass: 1, of: 'supervisor', left });

const moments: readonly Moment[] = [
  host('before_journal_write', 3),
  host('before_journal_write', 20),
  host('test_before_request', 2),
  host('test_streaming', 5),
  host('before_copy_staged'),
  host('before_content_kept'),
  host('before_replace_renamed'),
  host('before_job_record'),
  host('after_job_record'),
  host('before_scan_named'),
  host('before_lease_released'),
  supervisor('before_claim'),
  supervisor('after_claim'),
  supervisor('after_command_spawn'),
  supervisor('after_running_record'),
  supervisor('before_exit_record'),
];

describe('storage that is full all at once', function () {
  this.timeout(20_000);
  let programs: Programs;
  let disk: SmallDisk;
  let base = '';

  before(async function () {
    const opened = await openSmallDisk(8);
    if (typeof opened === 'string') {
      console.log(`No disk can be filled here (${opened}): see "a disk that is full" in test/unit/store.`);
      this.skip();
    }
    await opened.dispose();
    programs = await bundlePrograms();
  });
  after(() => programs.dispose());

  beforeEach(async () => {
    const opened = await openSmallDisk(2_048);
    assert.ok(typeof opened !== 'string');
    disk = opened;
    base = await mkdtemp(join(tmpdir(), 'ratchet-full-disk-'));
    await mkdir(join(base, 'folder'));
    await fillFolder(join(base, 'folder'));
  });
  afterEach(async () => {
    killMarked(base, () => true);
    await disk.dispose();
    await rm(base, { recursive: true, force: true });
  });

  for (const moment of moments) {
    const where = `at ${moment.point}, pass ${String(moment.pass)}, of the ${moment.of}`;
    for (const killed of [false, true]) {
      it(`${killed ? 'and a host that is killed then' : 'stops a run until there is space again'}: ${where}`, async () => {
        await runJob(moment, killed);
      });
    }
  }

  async function runJob({ point, pass, of, left = 0 }: Moment, killed: boolean): Promise<void> {
    const server = await startMessagesServer({ script });
    const [folder, root] = [join(base, 'folder'), join(disk.path, 'sessions')];
    const setup = {
      root: join(disk.innerPath, 'sessions'),
      folder,
      baseURL: server.url,
      model: 'claude-opus-4-8',
      mode: 'resume' as const,
      supervisorScript: programs.supervisor,
    };
    try {
      const waits = Promise.withResolvers<boolean>();
      const ending = runHost({
        programs,
        mark: base,
        through: disk.enter,
        at: of === 'host' ? { kind: 'stand', point, pass } : undefined,
        onKill: () => undefined,
        onLog: (text, child) => {
          if (!text.includes('is paused')) return;
          if (killed) child.kill('SIGKILL');
          waits.resolve(true);
        },
        setup: { ...setup, ...(of === 'supervisor' && { doomed: { job: 1, at: `${point}:1:stand` } }) },
      });
      void ending.then(() => {
        waits.resolve(false);
      });
      await eventually(async () => standing(base).length > 0);
      disk.fillBut(left);
      for (const { pid } of standing(base)) process.kill(pid, 'SIGCONT');
      const waited = await waits.promise;
      const ends: HostEnd[] = [];
      if (killed && waited) ends.push(await ending);
      disk.free();
      ends.push(
        killed && waited
          ? await runHost({ programs, mark: base, through: disk.enter, at: undefined, onKill: () => undefined, setup })
          : await ending,
      );
      const last = await leftOver(base, 5_000);
      const verdict = await judge({ folder, root, server, ends, expectedFiles: undefined, left: last });
      console.log(
        point,
        pass,
        of,
        killed,
        waited,
        ends
          .map((e) => e.log)
          .join('\n')
          .slice(0, 600),
      );
      assert.deepEqual(verdict.violations, []);
    } finally {
      await server.close();
    }
  }
});
