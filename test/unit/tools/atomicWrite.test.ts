import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hashBytes } from '../../../src/tools/fileHash.ts';
import { bundledProgram } from '../../support/programs/bundledProgram.ts';
import { allPaths, createToolFolder, type ToolFolder } from './toolFolder.ts';

const contents = ['a', 'b'].map((letter) => letter.repeat(3 * 1024 * 1024));

const program = bundledProgram(join(import.meta.dirname, 'killedWriter.ts'));

describe('a write that is killed', () => {
  let folder: ToolFolder;
  beforeEach(async () => {
    folder = await createToolFolder();
  });
  afterEach(() => folder.remove());

  // Killed at different moments: after so many changes were seen of the temporary file of a 3 MB write.
  for (const changes of [1, 2, 6, 12]) {
    it(`leaves the old content or the new one, and keeps the old one (killed at change ${String(changes)})`, async function () {
      this.timeout(20_000);
      const path = await folder.put('large.txt', contents[0] ?? '');
      const writer = spawn(process.execPath, [program, folder.folder, folder.storage], {
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      const exited = once(writer, 'exit');
      const watcher = watch(folder.folder);
      let seen = 0;
      watcher.on('change', (_kind, name) => {
        if (String(name).startsWith('.ratchet-') && ++seen === changes) writer.kill('SIGKILL');
      });
      await exited;
      watcher.close();
      assert.equal(writer.signalCode, 'SIGKILL');
      const now = await readFile(path, 'utf8');
      assert.ok(contents.includes(now), `half a file: ${String(now.length)} characters`);
      for (const name of await allPaths(join(folder.storage, 'kept'))) {
        assert.equal(hashBytes(await readFile(join(folder.storage, 'kept', name))), name);
      }
      assert.ok((await allPaths(join(folder.storage, 'kept'))).includes(hashBytes(contents[0] ?? '')));
      const extra = (await allPaths(folder.folder)).filter((name) => name !== 'large.txt');
      assert.ok(extra.every((name) => /^\.ratchet-[0-9a-f]{12}\.tmp$/.test(name)) && extra.length <= 1);
    });
  }
});
