import assert from 'node:assert/strict';
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { crashVariable } from '../../../src/platform/crashPoint.ts';
import { Lease, leaseStatus } from '../../../src/store/lease.ts';
import { bundledProgram } from '../../support/programs/bundledProgram.ts';
import { eventually } from '../../support/session/eventually.ts';
import { standsStill } from '../../support/session/standsStill.ts';
import { eventsOf, folder, note, useStore } from './storeFixture.ts';

const program = bundledProgram(join(import.meta.dirname, 'leaseOwner.ts'));

describe('store: who owns a session', () => {
  const store = useStore();
  const children: ChildProcessWithoutNullStreams[] = [];

  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exited = once(child, 'exit');
      child.kill('SIGKILL');
      await exited;
    }
  });

  function start(sessionId: string, env?: NodeJS.ProcessEnv): ChildProcessWithoutNullStreams {
    const child = spawn(process.execPath, [program, store().root, sessionId], { env: { ...process.env, ...env } });
    children.push(child);
    return child;
  }

  /** Another process that claims the session; tells "owner" or "refused", then obeys. */
  async function claimant(sessionId: string): Promise<{
    readonly child: ChildProcessWithoutNullStreams;
    readonly said: string;
    tell(word: string): Promise<string>;
  }> {
    const child = start(sessionId);
    const replies = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    const next = async (): Promise<string> => String((await replies.next()).value);
    const said = await next();
    return {
      child,
      said,
      tell: (word) => {
        child.stdin.write(`${word}\n`);
        return next();
      },
    };
  }

  it('of two processes that claim it at the same time exactly one wins', async function () {
    this.timeout(20_000);
    const { id } = await store().window('w').create(folder);
    const both = await Promise.all([claimant(id), claimant(id)]);
    assert.deepEqual(both.map(({ said }) => said).sort(), ['owner', 'refused']);
    const session = await store().window('w').open(id);
    assert.equal(await session.isHeldElsewhere(), true);
    assert.equal(await session.claim(() => undefined), undefined);
  });

  it('passes at once to the next when its owner was killed, and what the owner wrote is there', async function () {
    this.timeout(20_000);
    const { id } = await store().window('w').create(folder);
    const owner = await claimant(id);
    assert.equal(await owner.tell('append'), 'written');
    const exited = once(owner.child, 'exit');
    owner.child.kill('SIGKILL');
    await exited;
    const session = await store().window('w').open(id);
    assert.equal(await session.isHeldElsewhere(), false);
    const found: string[] = [];
    const journal = await session.claim((event) => found.push(event.type));
    assert.ok(journal);
    assert.deepEqual(found, ['note_added']);
    const [event] = await journal.append([note('mine now')]);
    assert.equal(event?.seq, 2);
    await journal.close();
  });

  it('is free after its owner gave it up', async function () {
    this.timeout(20_000);
    const { id } = await store().window('w').create(folder);
    const owner = await claimant(id);
    assert.equal(await owner.tell('close'), 'closed');
    const journal = await (await store().window('w').open(id)).claim(() => undefined);
    assert.ok(journal);
    await journal.close();
  });

  it('lets an owner that was passed over write nothing more', async () => {
    const { id, storage } = await store().window('w').create(folder);
    const old = await (await store().window('old').open(id)).claim(() => undefined);
    assert.ok(old);
    await old.append([note('before')]);
    // As a window on another machine does it whose view of this one is that it is dead.
    const [lease] = (await readdir(storage)).filter((name) => name.startsWith('lease-'));
    const generation = Number(/\d+/.exec(lease ?? '')?.[0]);
    await writeFile(join(storage, `lease-${String(generation + 1)}.json`), '{}');
    await assert.rejects(old.append([note('after')]), { code: 'already_running' });
    await old.close();
    assert.equal((await eventsOf(await store().window('new').open(id))).length, 1);
  });

  it('lets it write nothing more even when two owners came after it', async () => {
    const { storage } = await store().window('w').create(folder);
    const old = await Lease.acquire(storage, 'old');
    assert.ok(old);
    const record = JSON.parse(await readFile(join(storage, 'lease-1.json'), 'utf8')) as object;
    await writeFile(join(storage, 'lease-1.json'), JSON.stringify({ ...record, host: 'elsewhere' }));
    await utimes(join(storage, 'lease-1.json'), 0, 0);
    for (const name of ['second', 'third']) {
      const next = await Lease.acquire(storage, name);
      assert.ok(next, `${name} takes over`);
      await next.release();
    }
    assert.throws(() => old.assertOwner(), { code: 'already_running' });
    await old.release();
    assert.deepEqual(
      (await readdir(storage)).filter((name) => name.startsWith('lease-')),
      ['lease-3.json'],
    );
  });

  it('is not taken by a claim that stood still while owners came and went, and cleared away what it saw', async function () {
    this.timeout(20_000);
    const { id, storage } = await store().window('w').create(folder);
    const slow = start(id, { [crashVariable]: 'before_lease_taken:1:stand' });
    await eventually(() => standsStill(Number(slow.pid)));
    for (const name of ['first', 'second']) await (await Lease.acquire(storage, name))?.release();
    const lease = await Lease.acquire(storage, 'third');
    assert.ok(lease);
    slow.kill('SIGCONT');
    assert.equal(String(await once(slow.stdout, 'data')), 'refused\n');
    lease.assertOwner();
    assert.deepEqual(
      (await readdir(storage)).filter((name) => name.startsWith('lease-')),
      ['lease-3.json'],
    );
    await lease.release();
  });

  it('lets nothing be written, and says why, when the folder of the session was deleted', async () => {
    const session = await store().window('w').create(folder);
    const journal = await session.claim(() => undefined);
    assert.ok(journal);
    await rm(session.storage, { recursive: true });
    await assert.rejects(journal.appendDurable([note('lost')]), { code: 'not_found', message: /was deleted/ });
    await journal.close();
  });

  it('gives up an owner on another machine only when its heart has not beaten for long', async () => {
    const { storage } = await store().window('w').create(folder);
    const far = { ownerId: 'far', host: 'elsewhere', pid: 1, startTime: 'x', generation: 1, released: false };
    const file = join(storage, 'lease-1.json');
    await writeFile(file, JSON.stringify(far));
    assert.equal(await leaseStatus(storage, 'w'), 'held');
    assert.equal(await Lease.acquire(storage, 'w'), undefined);
    const longAgo = new Date(Date.now() - 3_600_000);
    await utimes(file, longAgo, longAgo);
    assert.equal(await leaseStatus(storage, 'w'), 'free');
  });

  it('takes a process with the same number that began at another time for another one', async () => {
    const { storage } = await store().window('w').create(folder);
    const reused = {
      ownerId: 'dead',
      host: hostname(),
      pid: process.ppid,
      startTime: 'long ago',
      generation: 4,
      released: false,
    };
    await writeFile(join(storage, 'lease-4.json'), JSON.stringify(reused));
    assert.equal(await leaseStatus(storage, 'w'), 'free');
    const lease = await Lease.acquire(storage, 'w');
    assert.ok(lease);
    assert.deepEqual(
      (await readdir(storage)).filter((name) => name.startsWith('lease-')),
      ['lease-5.json'],
    );
    await lease.release();
  });

  it('takes a record that nobody can read for that of a dead owner', async () => {
    const { storage } = await store().window('w').create(folder);
    await writeFile(join(storage, 'lease-1.json'), '');
    assert.equal(await leaseStatus(storage, 'w'), 'free');
    const lease = await Lease.acquire(storage, 'w');
    assert.ok(lease);
    await lease.release();
  });

  it('is held within one process too, until it is released', async () => {
    const { storage } = await store().window('w').create(folder);
    const lease = await Lease.acquire(storage, 'one');
    assert.equal(await Lease.acquire(storage, 'one'), undefined);
    assert.deepEqual([await leaseStatus(storage, 'one'), await leaseStatus(storage, 'two')], ['mine', 'held']);
    await lease?.release();
    assert.equal(await leaseStatus(storage, 'two'), 'free');
    const both = await Promise.all([Lease.acquire(storage, 'one'), Lease.acquire(storage, 'two')]);
    assert.equal(both.filter((won) => won !== undefined).length, 1);
    for (const won of both) await won?.release();
  });

  it('can be taken again by the process that could not write its release', async () => {
    const { storage } = await store().window('w').create(folder);
    const lease = await Lease.acquire(storage, 'w');
    assert.ok(lease);
    const record = await readFile(join(storage, 'lease-1.json'), 'utf8');
    await lease.release();
    // As if the disk had been full.
    await writeFile(join(storage, 'lease-1.json'), record);
    assert.equal(await leaseStatus(storage, 'w'), 'free');
    const again = await Lease.acquire(storage, 'w');
    assert.ok(again);
    await again.release();
  });
});
