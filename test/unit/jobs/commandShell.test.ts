import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gateRole } from '../../../src/jobs/commandShell.ts';
import { supervisorScript } from './jobsFixture.ts';

describe('the gate in Node', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'ratchet-gate-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  async function pass(
    word: string,
    command: string,
  ): Promise<{ readonly code: number | null; readonly output: string }> {
    const parameters = [supervisorScript, folder, gateRole, '/bin/sh', command];
    const gate = spawn(process.execPath, parameters, { stdio: ['pipe', 'pipe', 'inherit'] });
    const chunks: Buffer[] = [];
    gate.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    gate.stdin.end(word);
    await once(gate, 'close');
    return { code: gate.exitCode, output: Buffer.concat(chunks).toString('utf8') };
  }

  it('lets the command go at the word, and writes down its code', async () => {
    assert.deepEqual(await pass('go\n', 'cat; echo ran; exit 5'), { code: 5, output: 'ran\n' });
    assert.equal(await readFile(join(folder, 'code'), 'utf8'), '5\n');
    assert.equal(existsSync(join(folder, 'not_run')), false);
  });

  it('never runs the command when it is closed', async () => {
    assert.deepEqual(await pass('', 'echo ran'), { code: 125, output: '' });
    assert.equal(existsSync(join(folder, 'not_run')), true);
    assert.equal(existsSync(join(folder, 'code')), false);
  });

  it('writes down a signal as a shell does', async () => {
    assert.equal((await pass('go\n', 'kill -KILL $$')).code, 137);
    assert.equal(await readFile(join(folder, 'code'), 'utf8'), '137\n');
  });
});
