import assert from 'node:assert/strict';
import { decideSkip, isCheapCheck, type SkipEvidence } from '../../../src/core/skipGuard.ts';

const before: NonNullable<SkipEvidence['before']> = {
  succeeded: true,
  artifacts: [{ path: 'model.bin', verdict: 'intact' }],
  artifactsComplete: true,
  changedSince: ['model.bin'],
};
const evidence: SkipEvidence = { resumed: true, forced: false, command: 'python train.py', before };

describe('the skip guard', () => {
  it('answers from the record when the work is done and nothing else changed', () => {
    assert.deepEqual(decideSkip(evidence), { skip: true });
  });

  const mustRun: readonly (readonly [string, Partial<SkipEvidence>, string])[] = [
    ['an ordinary run', { resumed: false }, 'ordinary_run'],
    ['force was asked for', { forced: true }, 'forced'],
    ['a cheap check', { command: 'cat model.bin' }, 'cheap'],
    ['never done (or in another folder)', { before: undefined as never }, 'not_done_before'],
    ['failed before', { before: { ...before, succeeded: false } }, 'failed_before'],
    ['it made nothing', { before: { ...before, artifacts: [] } }, 'made_nothing'],
    [
      'an artifact was touched',
      { before: { ...before, artifacts: [{ path: 'model.bin', verdict: 'changed' }] } },
      'artifact_changed',
    ],
    [
      'one of two artifacts is missing',
      { before: { ...before, artifacts: [...before.artifacts, { path: 'log.txt', verdict: 'missing' }] } },
      'artifact_changed',
    ],
    ['an input changed', { before: { ...before, changedSince: ['model.bin', 'train.py'] } }, 'workspace_changed'],
    ['not all artifacts were recorded', { before: { ...before, artifactsComplete: false } }, 'unknown_changes'],
    ['what changed since is not known', { before: { ...before, changedSince: undefined } }, 'unknown_changes'],
  ];
  for (const [name, change, because] of mustRun) {
    it(`runs it: ${name}`, () => {
      assert.deepEqual(decideSkip({ ...evidence, ...change }), { skip: false, because });
    });
  }

  const commands: readonly (readonly [string, boolean])[] = [
    ['ls', true],
    ['ls -la src | head -5', true],
    ['git status --short', true],
    ['git log -3 && git diff', true],
    ['find . -name "*.py"', true],
    ['find . -delete', false],
    ['find . -name x -exec rm y', false],
    ['git push', false],
    ['git checkout main', false],
    ['cat a > b', false],
    ['echo $(make all)', false],
    ['echo `make`', false],
    ['ls; make', false],
    ['ls & make', false],
    ['ls || make', false],
    ['ls\nmake', false],
    ['python train.py', false],
    ['', false],
  ];
  for (const [command, cheap] of commands) {
    it(`${cheap ? 'takes' : 'does not take'} for a check: ${JSON.stringify(command)}`, () => {
      assert.equal(isCheapCheck(command), cheap);
    });
  }
});
