import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import type { StopRequest, StoredSession } from '../../../src/runner/sessionStore.ts';
import { bundledProgram } from '../../support/programs/bundledProgram.ts';
import { folder, useStore } from './storeFixture.ts';

const program = bundledProgram(join(import.meta.dirname, 'leaseOwner.ts'));

interface Owner {
  readonly process: ChildProcessWithoutNullStreams;
  /** The next line that it says. */
  says(): Promise<string>;
  tell(word: string): void;
}

describe('store: a stop that another process is asked for', function () {
  this.timeout(30_000);
  const store = useStore();
  let owners: Owner[] = [];

  afterEach(async () => {
    for (const { process: child } of owners) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
    owners = [];
  });

  async function ownerOf(id: string): Promise<Owner> {
    const child = spawn(process.execPath, [program, store().root, id], { stdio: ['pipe', 'pipe', 'pipe'] });
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const owner: Owner = {
      process: child,
      says: async () => {
        const { value } = (await lines.next()) as { value: string | undefined };
        return value ?? 'nothing';
      },
      tell: (word) => child.stdin.write(`${word}\n`),
    };
    owners.push(owner);
    assert.equal(await owner.says(), 'owner');
    return owner;
  }

  async function until(request: StopRequest, wanted: string): Promise<void> {
    while ((await request.look()).status !== wanted) await delay(20);
  }

  async function asked(session: StoredSession, kind: 'user' | 'user_keep_command' = 'user'): Promise<StopRequest> {
    const request = await session.askToStop(kind);
    assert.ok(request);
    return request;
  }

  const requests = async (session: StoredSession): Promise<readonly string[]> =>
    (await readdir(session.storage)).filter((name) => name.startsWith('stop-'));

  it('reaches the process that runs the session, as it was meant, and is over when that gives it free', async () => {
    const session = await store().window('w').create(folder);
    const owner = await ownerOf(session.id);
    const request = await asked(session, 'user_keep_command');
    assert.equal(await owner.says(), 'asked user_keep_command');
    await until(request, 'taken');
    owner.tell('close');
    assert.equal(await owner.says(), 'closed');
    assert.equal((await request.look()).status, 'over');
    assert.deepEqual(await requests(session), []);
  });

  it('waits while that process stands still, which is known by its heart, and is obeyed when it goes on', async () => {
    const session = await store().window('w').create(folder);
    const owner = await ownerOf(session.id);
    owner.process.kill('SIGSTOP');
    const request = await asked(session);
    const first = await request.look();
    assert.equal(first.status, 'waiting');
    while ((await request.look()).silentMs < first.silentMs + 1_000) await delay(50);
    owner.process.kill('SIGCONT');
    assert.equal(await owner.says(), 'asked user');
    await until(request, 'taken');
  });

  it('is over when that process dies, and does not stop who comes after it', async () => {
    const session = await store().window('w').create(folder);
    const owner = await ownerOf(session.id);
    owner.process.kill('SIGSTOP');
    const request = await asked(session);
    const exited = once(owner.process, 'exit');
    owner.process.kill('SIGKILL');
    await exited;
    assert.equal((await request.look()).status, 'over');
    assert.equal(await session.askToStop('user'), undefined);
    const next = await ownerOf(session.id);
    assert.deepEqual(await requests(session), []);
    // What it says next is about this, and not about a stop.
    next.tell('append');
    assert.equal(await next.says(), 'written');
    assert.equal((await request.look()).status, 'over');
  });

  it('asks nobody for a session that nobody runs, or that this window runs', async () => {
    const session = await store().window('w').create(folder);
    assert.equal(await session.askToStop('user'), undefined);
    const claim = await session.claim(() => undefined);
    assert.equal(await session.askToStop('user'), undefined);
    await claim?.close();
  });
});
