import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { eventsOf, folder, linesIn, useStore } from './storeFixture.ts';
import { bundledProgram } from '../../support/programs/bundledProgram.ts';

const program = bundledProgram(join(import.meta.dirname, 'fullDiskWriter.ts'));

describe('store: a disk that is full', () => {
  const store = useStore();

  it('acknowledges nothing of a write that failed half-way, takes it back, and writes on when there is space', async function () {
    this.timeout(20_000);
    const { id } = await store().window('w').create(folder);
    // No file of the child may grow beyond 16 KiB: a write is cut there as by a full disk.
    const script = `ulimit -f 16; exec "$0" "$@"`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script, process.execPath, program, store().root, id]);
    const { refused, acknowledged, sizeAfterFailure, sizeBefore } = JSON.parse(stdout) as Record<string, unknown>;
    assert.deepEqual(refused, ['storage', 'storage'], 'both appends of the group that failed');
    assert.equal(sizeAfterFailure, sizeBefore, 'the half-written line was taken back');
    assert.deepEqual(acknowledged, [1, 2]);
    const found = await eventsOf(await store().window('w').open(id));
    assert.deepEqual(
      found.map((event) => event.type === 'note_added' && event.text),
      ['before', 'after'],
    );
    assert.equal((await linesIn(store().journal(id))).length, 3);
    assert.ok((await readFile(store().journal(id), 'utf8')).endsWith('\n'));
  });
});
