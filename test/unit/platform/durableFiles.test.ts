import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createFolder, flushFolder, publishOnce, replaceFile } from '../../../src/platform/durableFiles.ts';

describe('files that are whole or not there', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'ratchet-durable-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  it('of several that are published under one name at the same time are one, whole', async () => {
    const file = path.join(folder, 'claim');
    const won = await Promise.all(['a', 'b', 'c'].map((letter) => publishOnce(file, letter.repeat(1000))));
    assert.equal(won.filter(Boolean).length, 1);
    assert.match(await readFile(file, 'utf8'), /^(a{1000}|b{1000}|c{1000})$/);
    assert.deepEqual(await readdir(folder), ['claim']);
  });

  it('are replaced by a name that is given to another one, readable by their owner only', async () => {
    const file = path.join(folder, 'note');
    await replaceFile(file, 'one');
    const first = await stat(file);
    await replaceFile(file, 'two');
    const second = await stat(file);
    assert.notEqual(second.ino, first.ino);
    assert.equal(await readFile(file, 'utf8'), 'two');
    if (process.platform !== 'win32') assert.equal(second.mode & 0o777, 0o600);
    assert.deepEqual(await readdir(folder), ['note']);
  });

  it('lie in folders of which each is made once', async () => {
    const inner = path.join(folder, 'a', 'b');
    assert.deepEqual([await createFolder(inner), await createFolder(inner)], [true, false]);
  });

  it('are there on file systems too that refuse to flush a folder', async function () {
    // This one does: proc has nothing to flush.
    if (process.platform !== 'linux') this.skip();
    await flushFolder('/proc/self');
    await assert.rejects(flushFolder(path.join(folder, 'nowhere')), { code: 'ENOENT' });
  });
});
