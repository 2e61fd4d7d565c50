import assert from 'node:assert/strict';
import type { StepIntent } from '../../../src/core/events.ts';
import type { Artifact } from '../../../src/core/recordedFiles.ts';
import { fileSpan } from '../../../src/core/fileVersions.ts';
import type { FinishedStep, StepEnd } from '../../../src/core/sessionState.ts';

function step(id: string, more: Partial<StepEnd> & { readonly intent?: StepIntent } = {}): FinishedStep {
  const { intent, ...result } = more;
  return {
    id,
    runId: 'run',
    tool: intent ? 'edit' : 'run_command',
    input: {},
    ...(intent && { intent }),
    status: 'finished',
    startedAt: 1,
    finishedAt: 2,
    result: { outcome: 'succeeded', content: '', isError: false, ...result },
  };
}
const edit = (id: string, before: string | null, after: string): FinishedStep =>
  step(id, {
    intent: { kind: 'file', path: 'a.txt', beforeSha256: before, afterSha256: after },
    artifacts: [{ path: 'a.txt', change: before === null ? 'created' : 'changed', size: 1, sha256: after }],
  });
const command = (id: string, change: Artifact['change'], sha256: string | null): FinishedStep =>
  step(id, { artifacts: [{ path: 'a.txt', change, size: 1, sha256 }] });
const content = (sha256: string) => ({ kind: 'content', sha256 }) as const;
const none = { kind: 'none' } as const;
const unknown = { kind: 'unknown' } as const;

describe('what steps made of a file', () => {
  it('one edit: from what it found to what it left, whatever path it is asked by', () => {
    const steps = [edit('1', 'A', 'B'), edit('2', 'B', 'C')];
    const span = { path: 'a.txt', before: content('B'), after: content('C') };
    assert.deepEqual(fileSpan(steps, 'a.txt', '2'), span);
    assert.deepEqual(fileSpan(steps, '/home/job/a.txt', '2'), span);
  });

  it('a run: from before its first step to after its last', () => {
    const steps = [edit('1', 'A', 'B'), edit('2', 'B', 'C'), edit('3', 'C', 'D')];
    assert.deepEqual(fileSpan(steps, 'a.txt', '3', '2'), { path: 'a.txt', before: content('B'), after: content('D') });
  });

  it('a file that was made, and one that was deleted', () => {
    assert.deepEqual(fileSpan([edit('1', null, 'A')], 'a.txt', '1')?.before, none);
    assert.deepEqual(fileSpan([command('1', 'created', 'A')], 'a.txt', '1')?.before, none);
    const gone = [edit('1', 'A', 'B'), command('2', 'deleted', null)];
    assert.deepEqual(fileSpan(gone, 'a.txt', '2'), { path: 'a.txt', before: content('B'), after: none });
  });

  it('a command: what was there is what was recorded or seen last, or unknown', () => {
    assert.deepEqual(fileSpan([command('1', 'changed', 'B')], 'a.txt', '1')?.before, unknown);
    const read = step('0', { seen: [{ path: 'a.txt', sha256: 'A' }] });
    assert.deepEqual(fileSpan([read, command('1', 'changed', 'B')], 'a.txt', '1')?.before, content('A'));
    const failed = { ...edit('0', 'A', 'X'), result: { outcome: 'failed', content: '', isError: true } } as const;
    assert.deepEqual(fileSpan([read, failed, command('1', 'changed', 'B')], 'a.txt', '1')?.before, content('A'));
  });

  it('nothing where the step did not touch the file or is not there', () => {
    assert.equal(fileSpan([command('1', 'changed', 'B')], 'b.txt', '1'), undefined);
    assert.equal(fileSpan([], 'a.txt', '1'), undefined);
  });
});
