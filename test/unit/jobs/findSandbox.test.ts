import assert from 'node:assert/strict';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findSandbox } from '../../../src/jobs/findSandbox.ts';

describe('whether there is a sandbox', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ratchet-bwrap-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  async function program(script: string): Promise<string> {
    const path = join(folder, 'bwrap');
    await writeFile(path, `#!/bin/sh\n${script}\n`);
    await chmod(path, 0o755);
    return path;
  }
  const linux = { platform: 'linux', arch: 'x64' };

  it('there is one when the program does it once', async () => {
    const place = await program('exit 0');
    assert.deepEqual(await findSandbox({ ...linux, places: ['/nowhere/bwrap', place] }), {
      kind: 'found',
      program: place,
    });
  });

  const missing: readonly (readonly [words: string, machine: Parameters<typeof findSandbox>[0], why: RegExp])[] = [
    [
      'not installed',
      { ...linux, places: ['/nowhere/bwrap'] },
      /bubblewrap, which is not installed \(apt install bubblewrap/,
    ],
    ['Windows', { platform: 'win32', arch: 'x64', places: [] }, /no sandbox on Windows/],
    ['macOS', { platform: 'darwin', arch: 'arm64', places: [] }, /only for Linux/],
    ['a processor without a filter', { platform: 'linux', arch: 'riscv64', places: [] }, /processor \(riscv64\)/],
  ];
  for (const [words, machine, why] of missing) {
    it(`there is none, and it says why: ${words}`, async () => {
      const found = await findSandbox(machine);
      assert.match(found.kind === 'none' ? found.why : '', why);
    });
  }

  it('there is none when the program can not do it, with what it said or what the kernel forbids', async () => {
    const place = await program('echo "bwrap: setting up uid map: Permission denied" >&2; exit 1');
    const found = await findSandbox({ ...linux, places: [place] });
    assert.match(found.kind === 'none' ? found.why : '', /cannot make a sandbox.*(Permission denied|sysctl)/);
  });
});
