import assert from 'node:assert/strict';
import { chmod, chown, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createJobClient } from '../../src/jobs/jobClient.ts';
import { leaseStatus } from '../../src/store/lease.ts';
import { bundlePrograms, type Programs } from '../crash/bundle.ts';
import { runHost, type HostEnd } from '../crash/hostRun.ts';
import { killMarked, markedProcesses } from '../crash/markedProcesses.ts';
import { openSmallDisk, type SmallDisk } from '../support/disk/smallDisk.ts';
import { text, toolUse, type Scripted, type ToolUseReply } from '../support/messagesServer/reply.ts';
import { startMessagesServer, type MessagesServer } from '../support/messagesServer/startMessagesServer.ts';
import { toolResults, type ToolResultSeen } from '../support/session/requestResults.ts';
import { folderIdentity, openStore } from '../support/window/window.ts';

const old = 'old line\n'.repeat(1_000);
/** Nobody in particular: root may do everything everywhere. */
const plainUser = 65_534;

/** What a model asks for; before it does, something happens to the disk or the folder. */
type Turn = readonly [happens: () => unknown, asks: Scripted];

const nothing = (): undefined => undefined;
const read = (file_path: string): ToolUseReply => toolUse('read', { file_path });

describe('folders that cannot be written', function () {
  this.timeout(60_000);
  let programs: Programs | undefined;
  let base = '';
  let server: MessagesServer;
  let disk: SmallDisk | undefined;

  before(async function () {
    if (process.platform !== 'linux') this.skip();
    programs = await bundlePrograms();
    await chmod(dirname(programs.host), 0o755);
  });
  after(() => programs?.dispose());
  beforeEach(async () => {
    base = await mkdtemp(join(tmpdir(), 'ratchet-bad-folders-'));
    server = await startMessagesServer();
  });
  afterEach(async () => {
    killMarked(base, () => true);
    await server.close();
    await disk?.dispose();
    disk = undefined;
    await rm(base, { recursive: true, force: true });
  });

  /** Runs a session to its end; what the model was told of each call, and how it ended. */
  async function run(
    folder: string,
    turns: readonly Turn[],
    more: { readonly through?: readonly string[]; readonly onPaused?: () => void } = {},
  ): Promise<{ readonly told: readonly ToolResultSeen[]; readonly end: HostEnd }> {
    let next = 0;
    server.script = async () => {
      const [happens, asks] = turns[next++] ?? [nothing, text('That was all.')];
      await happens();
      return asks;
    };
    const end = await runHost({
      programs: programs!,
      mark: base,
      at: undefined,
      onKill: nothing,
      ...(more.through && { through: more.through }),
      onLog: (words) => {
        if (words.includes('is paused')) more.onPaused?.();
      },
      setup: {
        root: join(base, 'sessions'),
        folder,
        baseURL: server.url,
        model: 'claude-opus-4-8',
        mode: 'resume',
        supervisorScript: programs!.supervisor,
      },
    });
    assert.equal(end.state, 'done', end.log);
    assert.deepEqual([server.refused.length, server.scriptErrors], [0, []]);
    return { told: toolResults(server.messageRequests.at(-1)!), end };
  }

  function assertFailed(result: ToolResultSeen | undefined, words: RegExp): void {
    assert.ok(result?.isError, JSON.stringify(result));
    assert.match(result.text, words);
    // What the model is told has no path of the machine in it.
    assert.ok(!result.text.includes('.tmp') && !result.text.includes('copyfile'), result.text);
  }

  it('leave the old file whole where the workspace is on a full disk, and the model is told', async function () {
    const opened = await openSmallDisk(1_024);
    if (typeof opened === 'string') {
      console.log(`No disk can be filled on this machine (${opened}).`);
      this.skip();
    }
    disk = opened;
    const project = join(opened.path, 'project');
    await mkdir(project);
    await writeFile(join(project, 'kept.txt'), old);
    const write = (file_path: string, content: string): Scripted => toolUse('write', { file_path, content });
    const { told } = await run(
      join(opened.innerPath, 'project'),
      [
        [nothing, read('kept.txt')],
        [() => opened.fill(), write('kept.txt', 'new line\n'.repeat(5_000))],
        [nothing, toolUse('edit', { file_path: 'kept.txt', old_string: old, new_string: 'x'.repeat(20_000) })],
        [nothing, write('one/two/new.txt', 'y'.repeat(20_000))],
        [nothing, toolUse('run_command', { command: 'head -c 20000 /dev/zero > made.bin; echo "code $?"' })],
        [() => opened.free(), write('one/two/new.txt', 'There is space.\n')],
      ],
      { through: opened.enter },
    );
    for (const index of [1, 2])
      assertFailed(told[index], /^kept\.txt could not be written: the disk is full\. It is as it was\.$/);
    assertFailed(told[3], /^one\/two\/new\.txt could not be written: the disk is full\./);
    assert.match(told[4]!.text, /No space left on device/);
    assert.match(told[4]!.text, /code 1/);
    assert.ok(!told[5]!.isError, told[5]!.text);
    assert.equal(await readFile(join(project, 'kept.txt'), 'utf8'), old);
    const files = (await readdir(project, { recursive: true })).sort();
    assert.deepEqual(files, ['kept.txt', 'made.bin', 'one', 'one/two', 'one/two/new.txt']);
  });

  it('are not made anew when the workspace folder is renamed away in the middle of a run, and work when it is back', async () => {
    const [folder, away] = [join(base, 'project'), join(base, 'elsewhere')];
    await mkdir(folder);
    await writeFile(join(folder, 'kept.txt'), old);
    const { told } = await run(folder, [
      [() => rename(folder, away), toolUse('write', { file_path: 'new.txt', content: 'new' })],
      [nothing, toolUse('edit', { file_path: 'kept.txt', old_string: old, new_string: 'new' })],
      [nothing, toolUse('read', { file_path: 'kept.txt' })],
      [nothing, toolUse('glob', { pattern: '**/*' })],
      [nothing, toolUse('grep', { pattern: 'old' })],
      [nothing, toolUse('run_command', { command: 'echo here > made.txt' })],
      [
        async () => {
          await assert.rejects(stat(folder), { code: 'ENOENT' });
          await rename(away, folder);
        },
        toolUse('write', { file_path: 'new.txt', content: 'new' }),
      ],
    ]);
    for (const index of [0, 1, 2, 3, 4]) assertFailed(told[index], /workspace folder is not there/);
    assertFailed(told[5], /could not be started.*does not exist/s);
    assert.ok(!told[6]!.isError, told[6]!.text);
    assert.deepEqual((await readdir(folder)).sort(), ['kept.txt', 'new.txt']);
    assert.equal(await readFile(join(folder, 'kept.txt'), 'utf8'), old);
  });

  it('are named to the model where permission is denied; in the storage that holds the run up', async function () {
    const asRoot = process.getuid?.() === 0;
    const folder = join(base, 'project');
    await mkdir(join(folder, 'closed'), { recursive: true });
    for (const name of ['kept.txt', 'closed/inner.txt', 'free.txt']) await writeFile(join(folder, name), old);
    if (asRoot) {
      const all = ['', 'project', ...(await readdir(folder, { recursive: true })).map((name) => join('project', name))];
      for (const path of all) await chown(join(base, path), plainUser, plainUser);
    }
    await chmod(join(folder, 'kept.txt'), 0o444);
    await chmod(join(folder, 'closed'), 0o555);
    const storage = async (): Promise<string> => {
      const [path = ''] = (await readdir(join(base, 'sessions'), { recursive: true })).filter((name) =>
        name.endsWith('journal.jsonl'),
      );
      return join(base, 'sessions', dirname(path));
    };
    let pauses = 0;
    const { told, end } = await run(
      folder,
      [
        [nothing, ['kept.txt', 'closed/inner.txt', 'free.txt'].map(read)],
        [nothing, toolUse('write', { file_path: 'kept.txt', content: 'new' })],
        [nothing, toolUse('write', { file_path: 'closed/inner.txt', content: 'new' })],
        [nothing, toolUse('write', { file_path: 'closed/new.txt', content: 'new' })],
        [async () => chmod(await storage(), 0o555), toolUse('write', { file_path: 'free.txt', content: 'new' })],
        [nothing, toolUse('run_command', { command: 'echo once >> steps.txt' })],
      ],
      {
        ...(asRoot && {
          through: ['setpriv', '--reuid', String(plainUser), '--regid', String(plainUser), '--clear-groups'],
        }),
        onPaused: () => {
          pauses += 1;
          void storage().then((path) => chmod(path, 0o700));
        },
      },
    );
    await chmod(join(folder, 'closed'), 0o755);
    for (const index of [3, 4, 5]) assertFailed(told[index], /could not be written: permission denied/);
    assert.ok(!told[6]!.isError && !told[7]!.isError, JSON.stringify(told.slice(6)));
    assert.equal(pauses, 1, end.log);
    assert.match(end.log, /The session's storage cannot be written: permission denied\. Check the permissions/);
    for (const name of ['kept.txt', 'closed/inner.txt']) assert.equal(await readFile(join(folder, name), 'utf8'), old);
    assert.equal(await readFile(join(folder, 'steps.txt'), 'utf8'), 'once\n');
  });

  it('let go of a session, and of a command that is to end, where not even an empty file can be made', async function () {
    const opened = await openSmallDisk(1_024, 64);
    if (typeof opened === 'string') {
      console.log(`No disk can be filled on this machine (${opened}).`);
      this.skip();
    }
    disk = opened;
    const session = await openStore(join(opened.path, 'sessions'), base).create(folderIdentity(base));
    const claim = await session.claim(nothing);
    const jobs = createJobClient({ root: join(session.storage, 'jobs'), supervisorScript: programs!.supervisor });
    await jobs.start({ key: 'long', command: 'sleep 600', cwd: base, env: { RATCHET_CRASH_CASE: base } });
    await assert.rejects(
      async () => {
        for (let n = 0; ; n++) await writeFile(join(opened.path, `file-${String(n)}`), '');
      },
      { code: 'ENOSPC' },
    );
    const exit = await jobs.end('long');
    assert.equal(exit.reason, 'ended');
    assert.notEqual((await jobs.find('long')).status, 'running');
    assert.deepEqual(markedProcesses(base), []);
    assert.equal(await leaseStatus(session.storage, 'another window'), 'held');
    await claim!.close();
    assert.equal(await leaseStatus(session.storage, 'another window'), 'free');
  });

  it('are listed and read where the storage is read-only, and say why nothing can be done', async function () {
    const opened = await openSmallDisk(1_024);
    if (typeof opened === 'string') {
      console.log(`No disk can be made read-only on this machine (${opened}).`);
      this.skip();
    }
    disk = opened;
    const folder = folderIdentity(base);
    const store = openStore(join(opened.path, 'sessions'), base);
    const made = await store.create(folder);
    const first = await made.claim(nothing);
    await first!.appendDurable([{ type: 'note_added', level: 'info', text: 'before' }]);
    await first!.close();
    // Derived, and cannot be made anew now.
    await rm(join(made.storage, '..', 'folder.json'));
    await rm(join(made.storage, 'summary.json'), { force: true });
    await opened.makeReadOnly();

    const rows = await store.list(folder.uri);
    assert.deepEqual(
      rows.map(({ id, problem }) => [id, problem]),
      [[made.id, undefined]],
    );
    const session = await store.open(made.id);
    const found: string[] = [];
    await session.catchUp((event) => found.push(event.type));
    assert.deepEqual(found, ['note_added']);
    for (const refused of [() => session.claim(nothing), () => store.create(folder)]) {
      await assert.rejects(refused, { code: 'storage', message: /the disk is read-only\. Make it writable again\.$/ });
    }
    await opened.makeWritable();
    const again = await session.claim(nothing);
    await again!.appendDurable([{ type: 'note_added', level: 'info', text: 'after' }]);
    await again!.close();
    assert.equal((await store.list(folder.uri)).length, 1);
  });
});
