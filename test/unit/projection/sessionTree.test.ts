import assert from 'node:assert/strict';
import type { FolderIdentity } from '../../../src/core/events.ts';
import {
  emptyTree,
  sessionTree,
  treeChanges,
  type SessionNode,
  type SessionTree,
  type TreeSession,
} from '../../../src/projection/sessionTree.ts';

const job: FolderIdentity = { uri: 'file:///job', name: 'job', path: '/job' };
const lib: FolderIdentity = { uri: 'file:///lib', name: 'lib', path: '/lib' };
const now = 10_000_000;

function row(id: string, more: Partial<TreeSession> = {}): TreeSession {
  return {
    id,
    folder: job,
    title: `Title ${id}`,
    state: 'done',
    hasWork: true,
    createdAt: 1,
    updatedAt: now - 4 * 60_000,
    ...more,
  };
}

function session(tree: SessionTree, id: string): SessionNode {
  const node = tree.nodes.get(id);
  assert.equal(node?.kind, 'session');
  return node;
}

function only(more: Partial<TreeSession>): SessionNode {
  return session(sessionTree([row('a', more)], [job], undefined, now), 'a');
}

describe('sessionTree', () => {
  it('says of each session in a few words how it stands', () => {
    const running = { state: 'running', runStartedAt: now - 161_000 } as const;
    const rows: readonly (readonly [Partial<TreeSession>, string])[] = [
      [{}, 'done, 4 min ago'],
      [{ state: 'interrupted', runSteps: 7 }, 'cut at step 7, 4 min ago'],
      [{ state: 'cancelled', runSteps: 1 }, 'stopped at step 1, 4 min ago'],
      [{ state: 'timed_out', runSteps: 2 }, 'timed out at step 2, 4 min ago'],
      [{ state: 'failed', runSteps: 3 }, 'failed at step 3, 4 min ago'],
      [{ state: 'interrupted' }, 'interrupted, 4 min ago'],
      [running, 'running 02:41'],
      [{ ...running, runStartedAt: now - 4_400 }, 'running 00:04'],
      [{ ...running, runStartedAt: now - 9_761_000 }, 'running 2:42:41'],
      [{ ...running, needsUser: true }, 'needs you'],
      [{ state: 'running' }, 'running'],
      [{ problem: 'Its first line is damaged.' }, 'cannot be read'],
    ];
    for (const [more, words] of rows) assert.equal(only(more).description, words);
    assert.match(only({ state: 'failed', runSteps: 3, retryAt: now + 60_000 }).description, /^parked/);
    assert.equal(only({ title: '' }).label, 'New session');
    const title = 'Move the settings page to the new router and delete what nobody calls any more';
    const long = only({ title });
    assert.equal(long.label, 'Move the settings page t…', 'a long title leaves room for how the session stands');
    assert.equal(long.title, title);
    assert.ok(long.tooltip.startsWith(`${title}\n`));
  });

  it('has a shape for each state, and offers what fits it', () => {
    const states = ['created', 'running', 'done', 'failed', 'cancelled', 'timed_out', 'interrupted'] as const;
    assert.equal(new Set(states.map((state) => only({ state }).icon)).size, states.length);
    assert.deepEqual(
      states.map((state) => only({ state }).context),
      ['idle', 'running', 'idle', 'retryable', 'resumable', 'resumable', 'resumable'],
    );
    assert.equal(only({ state: 'interrupted', hasWork: false }).context, 'idle');
    assert.equal(only({ state: 'interrupted', problem: 'Damaged.' }).context, 'unreadable');
  });

  it('is flat in a window of one folder, and by folder in the order of the workspace else', () => {
    const rows = [row('old', { updatedAt: 1 }), row('other', { folder: lib }), row('new')];
    assert.deepEqual(sessionTree(rows, [job], undefined, now).roots, ['other', 'new', 'old']);
    const grouped = sessionTree(rows, [lib, job, { uri: 'file:///no', name: 'no', path: '/no' }], undefined, now);
    assert.deepEqual(grouped.roots, [lib.uri, job.uri]);
    const node = grouped.nodes.get(job.uri);
    assert.deepEqual(node?.kind === 'folder' && [node.label, node.description, node.children], [
      'job',
      '2',
      ['new', 'old'],
    ]);
  });

  it('knows the open session as it is now', () => {
    const live = { id: 'a', state: 'running', needsUser: true } as const;
    assert.equal(session(sessionTree([row('a')], [job], live, now), 'a').description, 'needs you');
  });

  it('names only the nodes that look other than before', () => {
    const rows = Array.from({ length: 1_000 }, (_, n) => row(`s${String(n)}`, { updatedAt: n }));
    const at = (when: number, more: readonly TreeSession[] = rows): SessionTree =>
      sessionTree(more, [job], undefined, when);
    assert.equal(treeChanges(emptyTree, at(now)), 'all');
    assert.deepEqual(treeChanges(at(now), at(now)), []);
    const runs = [...rows.slice(1), row('s0', { updatedAt: 0, state: 'running', runStartedAt: now - 1_000 })];
    assert.deepEqual(treeChanges(at(now, runs), at(now + 1_000, runs)), ['s0']);
    assert.deepEqual(treeChanges(at(now), at(now, runs)), ['s0']);
    assert.equal(treeChanges(at(now), at(now, rows.slice(1))), 'all');
    assert.equal(treeChanges(at(now), at(now, [...rows.slice(1), row('s0', { updatedAt: now })])), 'all');
  });
});
