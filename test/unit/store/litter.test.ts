import assert from 'node:assert/strict';
import { mkdir, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createJobClient } from '../../../src/jobs/jobClient.ts';
import { withPathIn, withTemporary } from '../../../src/platform/temporaryFiles.ts';
import { folderIdentity } from '../../support/window/window.ts';
import { useFolders } from './foldersFixture.ts';
import { folder, useStore } from './storeFixture.ts';

/** No process has this number. */
const nobody = 2 ** 30;

describe('store: what killed processes left half made', () => {
  const store = useStore();
  const folders = useFolders();

  /** A temporary file as a process with this number would name it. */
  async function temporaryOf(pid: number, path: string): Promise<void> {
    const name = await withTemporary(path, async (temporary) => temporary);
    await writeFile(name.replace(`-${String(process.pid)}.`, `-${String(pid)}.`), 'half');
  }

  /** A private copy as a process with this number would have it. */
  async function copyOf(pid: number, folderOfCopies: string): Promise<void> {
    const path = await withPathIn(folderOfCopies, 'copy', async (own) => own);
    const its = path.replace(`-${String(process.pid)}-`, `-${String(pid)}-`);
    await mkdir(its, { recursive: true });
    await writeFile(join(its, 'file'), 'half');
  }

  it('is gone once somebody owns the session, but for what a living process writes', async () => {
    const session = await store().window('w').create(folder);
    const { storage } = session;
    await mkdir(join(storage, 'scans'));
    for (const name of ['scans/call.jsonl.tmp', 'scans/call.jsonl']) await writeFile(join(storage, name), 'half');
    await copyOf(nobody, join(storage, 'staging'));
    await copyOf(process.ppid, join(storage, 'staging'));
    await temporaryOf(nobody, join(storage, 'summary.json'));
    await temporaryOf(process.ppid, join(storage, 'lease-2.json'));
    const claim = await session.claim(() => undefined);
    assert.ok(claim);
    await claim.close();
    const left = (await readdir(storage, { recursive: true }))
      .filter((name) => !name.startsWith('lease-1.json'))
      .map((name) => name.replace(/[.-][0-9a-f]{8}-\d+[.-][0-9a-f-]{36}/, ' of the living'));
    assert.deepEqual(left.sort(), [
      'journal.jsonl',
      'lease-2.json of the living.tmp',
      'scans',
      'scans/call.jsonl',
      'staging',
      'staging/copy of the living',
      'staging/copy of the living/file',
    ]);
  });

  it('is gone from the place of a folder when its sessions are listed, and no session is counted that was never made', async () => {
    const gone = await folders().folderAt('here/project');
    const first = folders().window('w1', gone);
    const { storage } = await first.create(gone);
    const place = join(storage, '..');
    await temporaryOf(nobody, join(place, 'folder.json'));
    const unborn = join(place, '01HUNBORN');
    await mkdir(unborn);
    await temporaryOf(nobody, join(unborn, 'journal.jsonl'));
    assert.equal((await first.list(gone.uri)).length, 1);
    assert.deepEqual(await readdir(unborn), []);
    assert.equal((await readdir(place)).filter((name) => name.endsWith('.tmp')).length, 0);

    await rm(gone.path, { recursive: true });
    const after = await folders().folderAt('there/project');
    assert.equal((await folders().window('w2', after).adoptable(after))[0]?.count, 1);

    const longAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    await utimes(unborn, longAgo, longAgo);
    await first.list(gone.uri);
    assert.equal((await readdir(place)).includes('01HUNBORN'), false);
  });

  it('is gone from the folder of a job that is over, and left while it is not', async () => {
    const root = join(store().root, 'jobs');
    const jobs = createJobClient({ root, supervisorScript: 'none' });
    await mkdir(join(root, 'over'), { recursive: true });
    await temporaryOf(nobody, join(root, 'over', 'job.json'));
    await writeFile(join(root, 'over', 'code.tmp'), '');
    const before = await jobs.list();
    assert.deepEqual(
      before.map(({ state }) => state.status),
      ['starting'],
    );
    assert.equal((await readdir(join(root, 'over'))).length, 2);
    assert.equal((await jobs.find('over')).status, 'never_started');
    assert.deepEqual(await readdir(join(root, 'over')), ['claim']);
  });

  it('is nothing where a session cannot be made, and why is said', async () => {
    const blocked = folderIdentity(join(folders().base, 'project'));
    await mkdir(join(folders().base, 'storage'), { recursive: true });
    // A file in the way of the root: nothing can be made below it.
    await writeFile(join(folders().base, 'storage', 'w1'), '');
    await assert.rejects(folders().window('w1', blocked).create(blocked), { code: 'storage' });
  });
});
