import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { identifyProcess, isAlive, parseProcStat } from '../../../src/platform/processIdentity.ts';
import { findMarkedPids, parsePsTable, readProcessTable, type ProcessEntry } from '../../../src/jobs/processTable.ts';
import { findMembers } from '../../../src/jobs/processTree.ts';
import { isRunning, until } from './jobsFixture.ts';

const children: ChildProcess[] = [];

function spawnChild(command: string, parameters: readonly string[], env = process.env): ChildProcess {
  const child = spawn(command, parameters, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  children.push(child);
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  if (child.kill('SIGKILL')) await exited;
}

async function killChildren(): Promise<void> {
  for (const child of children.splice(0)) await kill(child);
}

describe('process identity', () => {
  afterEach(killChildren);

  it('is of one process, until it has ended', async () => {
    const child = spawnChild('sleep', ['100']);
    await once(child, 'spawn');
    const identity = await identifyProcess(child.pid ?? 0);
    assert.ok(identity);
    assert.equal(await isAlive(identity), true);
    assert.equal(await isAlive({ ...identity, startTime: `${identity.startTime}1` }), false);
    await kill(child);
    assert.equal(await isAlive(identity), false);
  });

  it('does not count a process that has ended and was not reaped', async () => {
    // The child ends only when another program, which never asks for it, has taken the place of its shell.
    const child = `until [ "$(cat /proc/$PPID/comm)" = sleep ]; do :; done`;
    const parent = spawnChild('sh', ['-c', `sh -c '${child}' & echo $!; exec sleep 100`]);
    assert.ok(parent.stdout);
    const said: unknown[] = await once(parent.stdout, 'data');
    const pid = Number(String(said[0]).trim());
    await until(() => !isRunning(pid));
    assert.doesNotThrow(() => process.kill(pid, 0), 'its pid is still taken');
    assert.equal(await identifyProcess(pid), undefined);
  });

  it('is read from a line with any name in it', () => {
    const line = `42 (a) b ) S 1 40 39 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 98765 0 0`;
    assert.deepEqual(parseProcStat(line), { state: 'S', ppid: 1, pgid: 40, session: 39, startTicks: 98765 });
    assert.equal(parseProcStat(''), undefined);
  });
});

describe('process table', () => {
  afterEach(killChildren);

  it('knows this process, and which ones carry a mark', async () => {
    const child = spawnChild('sleep', ['100'], { ...process.env, RATCHET_JOB: 'step.unique' });
    await once(child, 'spawn');
    const table = await readProcessTable('step.unique');
    assert.deepEqual(
      table.filter(({ marked }) => marked).map(({ pid }) => pid),
      [child.pid],
    );
    assert.equal(table.find(({ pid }) => pid === child.pid)?.ppid, process.pid);
  });

  it('is read from what `ps` prints', () => {
    const text = '    7     1     7 Ss   Sun Nov 29 17:29:20 2026\n   12     7     7 Z+   Mon Nov 30 01:02:03 2026\n';
    const rest = { pgid: 7, session: 7 };
    assert.deepEqual(parsePsTable(text, new Set([12])), [
      { pid: 7, ppid: 1, startTime: 'Sun Nov 29 17:29:20 2026', ended: false, marked: false, ...rest },
      { pid: 12, ppid: 7, startTime: 'Mon Nov 30 01:02:03 2026', ended: true, marked: true, ...rest },
    ]);
    const environments = '  7 sleep 1 A=1 RATCHET_JOB=step.1\n 12 sleep RATCHET_JOB=step.11 B=2\n';
    assert.deepEqual(findMarkedPids(environments, 'step.1'), new Set([7]));
  });
});

describe('members of a job', () => {
  const tree = { root: { pid: 10, startTime: 't10' }, mark: 'm' };
  const entry = (pid: number, ppid: number, more: Partial<ProcessEntry> = {}): ProcessEntry => ({
    pid,
    ppid,
    startTime: `t${pid}`,
    pgid: pid,
    session: pid,
    ended: false,
    marked: false,
    ...more,
  });
  const membersOf = (table: readonly ProcessEntry[], seen: readonly string[] = []): readonly number[] =>
    findMembers(table, tree, new Set(seen)).map(({ pid }) => pid);

  it('are the shell, its descendants, its group, its session and what is marked', () => {
    const table = [
      entry(13, 12),
      entry(12, 10),
      entry(10, 5),
      entry(14, 1, { pgid: 10 }),
      entry(15, 1, { session: 10 }),
      entry(16, 1, { marked: true }),
      entry(17, 16),
      entry(5, 1),
      entry(18, 5),
    ];
    assert.deepEqual([...membersOf(table)].sort(), [10, 12, 13, 14, 15, 16, 17]);
  });

  it('are not those of a stranger that got the pid', () => {
    const table = [entry(10, 1, { startTime: 'later' }), entry(11, 10), entry(12, 1, { pgid: 10 })];
    assert.deepEqual(membersOf(table), []);
  });

  it('are known again when their parent is gone', () => {
    assert.deepEqual(membersOf([entry(12, 1), entry(13, 1)], ['12@t12', '13@earlier']), [12]);
  });

  it('are neither the dead nor this process', () => {
    const table = [entry(10, 1, { ended: true }), entry(11, 10), entry(process.pid, 10)];
    assert.deepEqual(membersOf(table), [11]);
  });
});
