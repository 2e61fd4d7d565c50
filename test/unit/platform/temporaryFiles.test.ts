import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crashVariable } from '../../../src/platform/crashPoint.ts';
import { replaceFile } from '../../../src/platform/durableFiles.ts';
import { clearTemporaries, withTemporary } from '../../../src/platform/temporaryFiles.ts';
import { bundledProgram } from '../../support/programs/bundledProgram.ts';

const program = bundledProgram(join(import.meta.dirname, 'killedReplace.ts'));

describe('temporary files', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ratchet-temporaries-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  /** A process that dies, or stands still, when it has written the file and not yet put it in place. */
  async function writer(what: 'die' | 'stand'): Promise<ReturnType<typeof spawn>> {
    const env = { ...process.env, [crashVariable]: `before_file_named:1:${what}` };
    const child = spawn(process.execPath, [program, join(folder, 'record.json')], { env, stdio: 'inherit' });
    if (what === 'die') await once(child, 'exit');
    else while ((await readdir(folder)).length === 0) await new Promise((resolve) => setImmediate(resolve));
    return child;
  }

  it('of a process that was killed are removed, and nothing else', async () => {
    await replaceFile(join(folder, 'other.json'), '{}');
    await writer('die');
    assert.equal((await readdir(folder)).length, 2);
    await clearTemporaries(folder);
    assert.deepEqual(await readdir(folder), ['other.json']);
  });

  it('of a living process are left to it, and of this one too', async () => {
    const child = await writer('stand');
    await clearTemporaries(folder);
    assert.equal((await readdir(folder)).length, 1);
    const exited = once(child, 'exit');
    // It may not stand yet.
    while (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGCONT');
      await new Promise((resolve) => setImmediate(resolve));
    }
    await exited;
    assert.deepEqual(await readdir(folder), ['record.json']);

    await withTemporary(join(folder, 'own.json'), async (temporary) => {
      await writeFile(temporary, '{}');
      await clearTemporaries(folder);
      await rename(temporary, join(folder, 'own.json'));
    });
    assert.deepEqual(await readdir(folder), ['own.json', 'record.json']);
  });

  it('of another machine, or without a writer in their name, are removed when no write can have taken so long', async () => {
    const id = '123e4567-e89b-12d3-a456-426614174000';
    for (const name of [`a.json.00000000-1.${id}.tmp`, `b.json.${id}.tmp`]) await writeFile(join(folder, name), '');
    await clearTemporaries(folder);
    assert.equal((await readdir(folder)).length, 2);
    const twoDaysAgo = new Date(Date.now() - 2 * 24 * 60 * 60 * 1000);
    for (const name of await readdir(folder)) await utimes(join(folder, name), twoDaysAgo, twoDaysAgo);
    await clearTemporaries(folder);
    assert.deepEqual(await readdir(folder), []);
  });

  it('in a folder that is not there are none', async () => {
    await clearTemporaries(join(folder, 'missing'));
  });
});
