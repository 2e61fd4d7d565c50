import assert from 'node:assert/strict';
import type { StepItem, TranscriptItem } from '../../../src/protocol/view.ts';
import { filesChanged } from '../../../webview-ui/filesChanged.ts';

const user: TranscriptItem = { kind: 'user', id: 'u', at: 1, text: 'go' };
function edit(id: string, artifacts: NonNullable<StepItem['artifacts']>, added = 0, removed = 0): StepItem {
  return {
    kind: 'step',
    id,
    at: 1,
    status: 'succeeded',
    verb: 'Edited',
    subject: '',
    input: { language: 'diff', text: '' },
    artifacts,
    lines: { added, removed },
  };
}

describe('webview files changed', () => {
  it('sums the edits of a file and names the first and the last of them', () => {
    const files = filesChanged([
      user,
      edit('1', [{ path: 'a', change: 'created' }], 5, 0),
      edit('2', [{ path: 'a', change: 'changed' }], 2, 1),
    ]);
    assert.deepEqual(files, [{ path: 'a', change: 'created', since: '1', stepId: '2', added: 7, removed: 1 }]);
  });

  it('leaves out what was done before the last message', () => {
    assert.deepEqual(filesChanged([user, edit('1', [{ path: 'a', change: 'changed' }]), user]), []);
  });

  it('gives no line counts of their own to files that one step touched together', () => {
    const files = filesChanged([
      edit(
        '1',
        [
          { path: 'a', change: 'changed' },
          { path: 'b', change: 'deleted' },
        ],
        9,
        9,
      ),
    ]);
    assert.deepEqual(
      files.map((file) => file.added),
      [0, 0],
    );
  });
});
