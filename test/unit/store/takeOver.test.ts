import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { watchMs } from '../../../src/panel/sessionWatch.ts';
import { heartbeatMs, longAgoMs, silenceMs } from '../../../src/store/heartbeat.ts';
import { Lease, leaseStatus } from '../../../src/store/lease.ts';
import { bundledProgram } from '../../support/programs/bundledProgram.ts';
import { folder, useStore } from './storeFixture.ts';

const program = bundledProgram(join(import.meta.dirname, 'leaseOwner.ts'));
/** What a take-over may take at most, in milliseconds. */
const bound = 15_000;

describe('store: how soon a session passes on when its owner is dead', () => {
  const store = useStore();

  /** Looks as a window does that watches the session, on a clock of its own; how long until it is free, or undefined. */
  async function freeAfter(storage: string, onLook: (at: number) => Promise<void>): Promise<number | undefined> {
    const began = Date.now();
    for (let at = 0; at <= 5 * bound; at += watchMs) {
      await onLook(at);
      const times = { now: () => began + at, steady: () => at };
      if ((await leaseStatus(storage, 'watcher', times)) === 'free') return at;
    }
    return undefined;
  }

  /** A lease whose owner cannot be asked: it is on another machine. */
  async function farLease(): Promise<{
    readonly storage: string;
    readonly file: string;
    readonly beat: (at: Date) => Promise<void>;
  }> {
    const { storage } = await store().window('w').create(folder);
    const far = { ownerId: 'far', host: 'elsewhere', pid: 1, startTime: 'x', generation: 1, released: false };
    const file = join(storage, 'lease-1.json');
    await writeFile(file, JSON.stringify(far));
    return { storage, file, beat: (at) => utimes(file, at, at) };
  }

  it('is at the first look where the process can be asked', async function () {
    this.timeout(20_000);
    const { id, storage } = await store().window('w').create(folder);
    const owner = spawn(process.execPath, [program, store().root, id], { stdio: ['pipe', 'pipe', 'inherit'] });
    await once(owner.stdout, 'data');
    assert.equal(await leaseStatus(storage, 'watcher'), 'held');
    const exited = once(owner, 'exit');
    owner.kill('SIGKILL');
    await exited;
    assert.equal(await freeAfter(storage, async () => undefined), 0);
  });

  it('is within 15 seconds where it cannot, also when it died right after a beat', async () => {
    const { storage, beat } = await farLease();
    const began = Date.now();
    const diedAt = 2 * watchMs;
    const free = await freeAfter(storage, async (at) => {
      if (at <= diedAt) await beat(new Date(began + at));
    });
    assert.ok(free !== undefined && free - diedAt <= silenceMs + watchMs, `free after ${String(free)} ms`);
    assert.ok(silenceMs + 2 * watchMs < bound);
  });

  it('is not concluded from two looks with a long time between them: both machines may have slept', async () => {
    const { storage } = await farLease();
    for (const at of [0, 40_000]) {
      assert.equal(await leaseStatus(storage, 'watcher', { now: Date.now, steady: () => at }), 'held');
    }
  });

  it('never comes while the heart beats, even if every second beat is missed, and with clocks that differ', async () => {
    for (const clockOff of [0, -longAgoMs / 2, longAgoMs * 10]) {
      const { storage, beat } = await farLease();
      const began = Date.now();
      const free = await freeAfter(storage, async (at) => {
        if (Math.floor(at / (2 * heartbeatMs)) !== Math.floor((at - watchMs) / (2 * heartbeatMs))) {
          await beat(new Date(began + at + clockOff));
        }
      });
      assert.equal(free, undefined, `clock off by ${String(clockOff)} ms`);
    }
    assert.ok(silenceMs > 3 * heartbeatMs, 'three beats may be missed');
  });

  it('is at once when the last beat is long ago', async () => {
    const { storage, beat } = await farLease();
    await beat(new Date(Date.now() - longAgoMs));
    assert.equal(await leaseStatus(storage, 'watcher'), 'free');
    const lease = await Lease.acquire(storage, 'watcher');
    assert.ok(lease);
    await lease.release();
  });

  it('leaves a record that is not a beat: the file of a released lease is emptied, and is free', async () => {
    const { storage } = await store().window('w').create(folder);
    await writeFile(join(storage, 'lease-3.json'), '');
    assert.equal(await leaseStatus(storage, 'watcher'), 'free');
    const lease = await Lease.acquire(storage, 'watcher');
    assert.ok(lease);
    assert.match(await readFile(join(storage, 'lease-4.json'), 'utf8'), /"generation":4/);
    await lease.release();
  });
});
