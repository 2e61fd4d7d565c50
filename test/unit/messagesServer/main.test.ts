import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import Anthropic from '@anthropic-ai/sdk';
import { question } from './serverFixture.ts';

const support = new URL('../../support/messagesServer/', import.meta.url);

describe('messagesServer, as a process', () => {
  let folder = '';
  let child: ChildProcess | undefined;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'messages-server-'));
  });

  afterEach(async () => {
    if (child?.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await rm(folder, { recursive: true, force: true });
  });

  /** Starts it and resolves with the URL that it prints. */
  async function start(...args: readonly string[]): Promise<{ readonly url: string; readonly process: ChildProcess }> {
    const started = spawn(process.execPath, [fileURLToPath(new URL('main.ts', support)), ...args], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    child = started;
    const line: unknown[] = await once(createInterface(started.stdout), 'line');
    return { url: String(line[0]), process: started };
  }

  it('prints its URL, answers by its script and ends on SIGTERM', async () => {
    const file = join(folder, 'script.ts');
    const reply = fileURLToPath(new URL('reply.ts', support));
    await writeFile(
      file,
      `import { text } from ${JSON.stringify(reply)};\nexport const script = () => text('from the file');\n`,
    );
    const { url, process: server } = await start('--script', file, '--api-key', 'k');
    const client = new Anthropic({ apiKey: 'k', baseURL: url, maxRetries: 0, logLevel: 'off' });
    const { content } = await client.messages.create(question);
    assert.ok(content[0]?.type === 'text' && content[0].text === 'from the file');
    server.kill('SIGTERM');
    assert.deepEqual(await once(server, 'exit'), [0, null]);
  });

  it('ends with its parent if it is told to', async () => {
    const { process: server } = await start('--until-stdin-ends');
    server.stdin?.end();
    assert.deepEqual(await once(server, 'exit'), [0, null]);
  });
});
