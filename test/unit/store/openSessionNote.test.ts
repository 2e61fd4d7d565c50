import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  newerNote,
  parseOpenSessionNote,
  readOpenSessionNote,
  writeOpenSessionNote,
} from '../../../src/store/openSessionNote.ts';

describe('the note of the open session', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ratchet-note-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('is there after a kill that follows at once, in a storage that nobody had made', async () => {
    const file = join(folder, 'storage', 'open-session.json');
    const source = join(import.meta.dirname, '..', '..', '..', 'src', 'store', 'openSessionNote.ts');
    const script = `
      import { writeOpenSessionNote } from ${JSON.stringify(source)};
      writeOpenSessionNote(${JSON.stringify(file)}, { sessionId: 'earlier', at: 1 });
      writeOpenSessionNote(${JSON.stringify(file)}, { sessionId: 'later', at: 2 });
      process.kill(process.pid, 'SIGKILL');
    `;
    const { signal, stderr } = spawnSync(process.execPath, ['--input-type=module-typescript', '-e', script]);
    assert.equal(signal, 'SIGKILL', String(stderr));
    assert.deepEqual(readOpenSessionNote(file), { sessionId: 'later', at: 2 });
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });

  it('is none where there is no file, or one that is empty or something else', async () => {
    const file = join(folder, 'open-session.json');
    assert.equal(readOpenSessionNote(file), undefined);
    for (const text of ['', '{', '{"sessionId":3,"at":1}', '"s1"']) {
      await writeFile(file, text);
      assert.equal(readOpenSessionNote(file), undefined, text);
    }
    writeOpenSessionNote(file, { sessionId: null, at: 3 });
    assert.deepEqual(readOpenSessionNote(file), { sessionId: null, at: 3 });
    assert.throws(() => readOpenSessionNote(folder), { code: 'EISDIR' });
  });

  it('counts when it is the newer one, wherever it was kept', () => {
    const [old, young] = [parseOpenSessionNote({ sessionId: 'a', at: 1 }), { sessionId: null, at: 2 }];
    assert.equal(newerNote(old, young), young);
    assert.equal(newerNote(young, old), young);
    assert.equal(newerNote(undefined, old), old);
    assert.equal(newerNote(old, undefined), old);
    assert.equal(newerNote(undefined, undefined), undefined);
  });
});
