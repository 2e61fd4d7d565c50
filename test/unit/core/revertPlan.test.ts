import assert from 'node:assert/strict';
import type { FileVersion } from '../../../src/core/fileVersions.ts';
import { verdictOn, type FileLook, type FileVerdict, type TouchedFile } from '../../../src/core/revertPlan.ts';

const is = (sha256: string): FileVersion => ({ kind: 'content', sha256 });
const none: FileVersion = { kind: 'none' };
const unknown: FileVersion = { kind: 'unknown' };
const touched = (before: FileVersion, after: FileVersion, isMixed = false): TouchedFile => ({
  path: 'a',
  before,
  after,
  isMixed,
});
const look = (sha256: string | null, more: Partial<FileLook> = {}): FileLook => ({
  sha256,
  isUnsaved: false,
  isTooLarge: false,
  hasBefore: true,
  ...more,
});
const put = (fromSha256: string | null, toSha256: string | null): FileVerdict => ({
  kind: 'put',
  file: { path: 'a', fromSha256, toSha256 },
});
const left = (why: Extract<FileVerdict, { kind: 'left' }>['file']['why']): FileVerdict => ({
  kind: 'left',
  file: { path: 'a', why },
});

describe('what a revert does with a file', () => {
  const table: readonly (readonly [string, TouchedFile, FileLook, FileVerdict])[] = [
    ['edited and intact', touched(is('1'), is('2')), look('2'), put('2', '1')],
    ['made and intact', touched(none, is('2')), look('2'), put('2', null)],
    ['deleted and still gone', touched(is('1'), none), look(null), put(null, '1')],
    ['put back by hand already', touched(is('1'), is('2')), look('1'), { kind: 'same' }],
    ['made and deleted since', touched(none, is('2')), look(null), { kind: 'same' }],
    ['changed since', touched(is('1'), is('2')), look('3'), left('changed')],
    ['deleted since', touched(is('1'), is('2')), look(null), left('changed')],
    ['deleted by a step and made again since', touched(is('1'), none), look('3'), left('changed')],
    ['changed between two steps', touched(is('1'), is('2'), true), look('2'), left('changed')],
    ['with unsaved changes', touched(is('1'), is('2')), look('2', { isUnsaved: true }), left('unsaved')],
    ['of unknown content before', touched(unknown, is('2')), look('2'), left('not_kept')],
    ['whose content before is lost', touched(is('1'), is('2')), look('2', { hasBefore: false }), left('not_kept')],
    ['whose content after nobody recorded', touched(is('1'), unknown), look('2'), left('changed')],
    ['too large to be kept', touched(none, is('2')), look('2', { isTooLarge: true }), left('too_large')],
  ];
  it('says of a program that it is one, before and now', () => {
    const program: FileVersion = { kind: 'content', sha256: '1', executable: true };
    const file = { path: 'a', fromSha256: '2', toSha256: '1' } as const;
    const verdicts = [
      verdictOn(touched(program, is('2')), look('2')),
      verdictOn(touched(is('1'), is('2')), look('2', { executable: true })),
    ];
    assert.deepEqual(verdicts, [
      { kind: 'put', file: { ...file, toExecutable: true } },
      { kind: 'put', file: { ...file, fromExecutable: true } },
    ]);
  });

  for (const [name, file, now, verdict] of table) {
    it(name, () => {
      assert.deepEqual(verdictOn(file, now), verdict);
    });
  }
});
