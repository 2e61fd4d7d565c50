import assert from 'node:assert/strict';
import { chmod, readFile, readdir, stat } from 'node:fs/promises';
import type { FileVersion } from '../../../src/core/fileVersions.ts';
import type { Step } from '../../../src/core/sessionState.ts';
import type { RevertPlace } from '../../../src/runner/ports.ts';
import { noEditorFiles } from '../../../src/tools/editorFiles.ts';
import { hashBytes } from '../../../src/tools/fileHash.ts';
import { keepContent, readKept } from '../../../src/tools/keptContent.ts';
import { createRevertFiles } from '../../../src/tools/revertFiles.ts';
import { createToolFolder, type ToolFolder } from './toolFolder.ts';

const sha = (content: string) => hashBytes(content);
const was = (content: string): FileVersion => ({ kind: 'content', sha256: sha(content) });

describe('files of a revert', () => {
  let folder: ToolFolder;
  let place: RevertPlace;
  const port = createRevertFiles(noEditorFiles);
  beforeEach(async () => {
    folder = await createToolFolder();
    place = { folder: folder.folder, storage: folder.storage, steps: [] };
  });
  afterEach(() => folder.remove());
  const text = (path: string) => readFile(folder.at(path), 'utf8');
  const keep = (content: string) => keepContent(folder.storage, sha(content), Buffer.from(content));
  const kept = async (content: string) => (await readKept(folder.storage, sha(content))) !== undefined;

  it('are put back whole, with their mode, and what was there is kept', async () => {
    await keep('before');
    await folder.put('a.sh', 'after');
    await chmod(folder.at('a.sh'), 0o750);
    const file = { path: 'a.sh', fromSha256: sha('after'), toSha256: sha('before') };
    assert.equal(await port.put(place, 'r1', file), 'done');
    assert.equal(await text('a.sh'), 'before');
    assert.equal((await stat(folder.at('a.sh'))).mode & 0o777, 0o750);
    assert.ok(await kept('after'));
    assert.equal(await port.put(place, 'r1', file), 'done', 'again changes nothing');
    assert.deepEqual(await readdir(folder.folder), ['a.sh']);
  });

  it('that a step made are removed, kept first; and made again, also in a folder that is gone', async () => {
    await folder.put('made.txt', 'made');
    const removal = { path: 'made.txt', fromSha256: sha('made'), toSha256: null };
    assert.equal(await port.put(place, 'r1', removal), 'done');
    assert.deepEqual(await readdir(folder.folder), []);
    const back = { path: 'made.txt', fromSha256: null, toSha256: sha('made') };
    assert.equal(await port.put(place, 'r2', back), 'done');
    assert.equal(await text('made.txt'), 'made');
    assert.equal(await port.put(place, 'r2', { ...back, path: 'deep/er/made.txt' }), 'done');
    assert.equal(await text('deep/er/made.txt'), 'made');
  });

  it('that were programs are programs again: removed or replaced since, and made again by an undo', async () => {
    await keep('#!/bin/sh');
    const back = { path: 'run.sh', fromSha256: null, toSha256: sha('#!/bin/sh'), toExecutable: true } as const;
    assert.equal(await port.put(place, 'r1', back), 'done');
    const modeOf = async () => (await stat(folder.at('run.sh'))).mode & 0o777;
    assert.equal((await modeOf()) & 0o100, 0o100);
    await folder.put('run.sh', 'other');
    await chmod(folder.at('run.sh'), 0o640);
    const touched = { path: 'run.sh', before: was('x'), after: was('other'), isMixed: false };
    assert.equal((await port.look(place, [touched]))[0]?.executable, undefined);
    assert.equal(await port.put(place, 'r1', { ...back, fromSha256: sha('other') }), 'done');
    assert.equal(await modeOf(), 0o750, 'for those who may read it');
    assert.equal((await port.look(place, [touched]))[0]?.executable, true);
  });

  it('that someone changed, that are unsaved, read-only, outside or not kept are left alone, each for its reason', async () => {
    await keep('before');
    await folder.put('a.txt', 'by hand');
    const file = { path: 'a.txt', fromSha256: sha('after'), toSha256: sha('before') };
    assert.equal(await port.put(place, 'r1', file), 'changed');
    assert.equal(await port.put(place, 'r1', { ...file, path: '../a.txt' }), 'changed');
    const unsaved = createRevertFiles({ ...noEditorFiles, unsaved: async () => ({ kind: 'opaque' }) });
    const right = { ...file, fromSha256: sha('by hand') };
    assert.equal(await unsaved.put(place, 'r1', right), 'unsaved');
    assert.equal(await port.put(place, 'r1', { ...right, toSha256: sha('never kept') }), 'not_kept');
    if (process.getuid?.() !== 0) {
      await chmod(folder.at('a.txt'), 0o444);
      assert.equal(await port.put(place, 'r1', right), 'refused');
    }
    assert.equal(await text('a.txt'), 'by hand');
  });

  it('are looked at: hash, unsaved changes, and whether the content before is at hand or can be worked out again', async () => {
    await folder.put('a.txt', 'now');
    await keep('one');
    const step: Step = {
      id: 'c1',
      runId: 'r',
      tool: 'edit',
      input: { file_path: 'a.txt', old_string: 'one', new_string: 'two' },
      intent: { kind: 'file', path: 'a.txt', beforeSha256: sha('one'), afterSha256: sha('two') },
      status: 'running',
      startedAt: 0,
    };
    const touched = (before: FileVersion, path = 'a.txt') => ({ path, before, after: was('now'), isMixed: false });
    const looks = await port.look({ ...place, steps: [step] }, [
      touched(was('one')),
      touched(was('two')),
      touched(was('three')),
      touched({ kind: 'none' }, 'gone.txt'),
    ]);
    assert.deepEqual(
      looks.map(({ sha256, hasBefore }) => [sha256, hasBefore]),
      [
        [sha('now'), true],
        [sha('now'), true],
        [sha('now'), false],
        [null, false],
      ],
    );
    assert.ok(await kept('two'), 'a revert that is cut has to find it');
  });
});
