import assert from 'node:assert/strict';
import { RatchetError } from '../../../src/core/errors.ts';
import type { FolderIdentity } from '../../../src/core/events.ts';
import { SessionLists } from '../../../src/panel/sessionLists.ts';
import type { AdoptableSessions, ListedSession } from '../../../src/runner/sessionStore.ts';

const api: FolderIdentity = { uri: 'file:///work/api', name: 'api', path: '/work/api' };
const web: FolderIdentity = { uri: 'file:///work/web', name: 'web', path: '/work/web' };

function session(folder: FolderIdentity, updatedAt: number): ListedSession {
  return { id: folder.name, title: folder.name, state: 'done', folder, createdAt: 1, updatedAt, hasWork: true };
}

function adoptable(from: string, sameName: boolean): AdoptableSessions {
  return { from, count: 1, sameName, places: ['/storage'] };
}

/** A disk whose answers come when the test says so. */
class SlowDisk {
  readonly waiting: (() => void)[] = [];

  async list(folderUri: string): Promise<readonly ListedSession[]> {
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    return folderUri === api.uri ? [session(api, 1)] : [session(web, 2)];
  }

  async adoptable(folder: FolderIdentity): Promise<readonly AdoptableSessions[]> {
    await new Promise<void>((resolve) => this.waiting.push(resolve));
    return [adoptable(`/old/${folder.name}`, true), adoptable('/other', false)];
  }

  /** The answers to the calls with these numbers, from 0. */
  answer(...calls: readonly number[]): void {
    for (const call of calls) this.waiting[call]?.();
  }
}

describe('the lists of the panel', () => {
  it('show the sessions of all open folders, the last changed first', async () => {
    const disk = new SlowDisk();
    const lists = new SessionLists(disk, () => [api, web]);
    const loaded = lists.loadRows();
    disk.answer(0, 1);
    await loaded;
    assert.deepEqual(
      lists.rows.map(({ id, folderName }) => [id, folderName]),
      [
        ['web', 'web'],
        ['api', 'api'],
      ],
    );
  });

  for (const order of ['in the order of their begin', 'the later one first'] as const) {
    it(`show what the later of two loads found, which end ${order}`, async () => {
      const disk = new SlowDisk();
      let open: readonly FolderIdentity[] = [api, web];
      const lists = new SessionLists(disk, () => open);
      const before = lists.loadRows();
      open = [api];
      const after = lists.loadRows();
      if (order === 'the later one first') {
        disk.answer(2);
        await after;
        disk.answer(0, 1);
        await before;
      } else {
        disk.answer(0, 1);
        await before;
        disk.answer(2);
        await after;
      }
      assert.deepEqual(
        lists.rows.map(({ id }) => id),
        ['api'],
      );
    });
  }

  it('offer for adoption what was called as the open folder is, from the later load', async () => {
    const disk = new SlowDisk();
    let open: readonly FolderIdentity[] = [web];
    const lists = new SessionLists(disk, () => open);
    const before = lists.loadOffers();
    open = [api];
    const after = lists.loadOffers();
    disk.answer(1);
    await after;
    disk.answer(0);
    await before;
    assert.deepEqual(
      lists.offers.map(({ folder, sessions }) => [folder.name, sessions.from]),
      [['api', '/old/api']],
    );
    assert.equal(lists.offer(api.uri, '/old/api').sessions.count, 1);
    assert.throws(
      () => lists.offer(web.uri, '/old/web'),
      (error) => error instanceof RatchetError && error.code === 'not_found',
    );
  });
});
