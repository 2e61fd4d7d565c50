// An editor with documents in memory over real files: typing, saving with a formatter, refusing, reporting problems.
import { readFile, writeFile } from 'node:fs/promises';
import type { Problem } from '../../../src/core/problems.ts';
import type { EditorFiles } from '../../../src/tools/editorFiles.ts';

export interface FakeEditor extends EditorFiles {
  /** Unsaved changes by absolute path. */
  readonly unsavedTexts: Map<string, string>;
  /** What a save makes of a text. */
  format: (text: string) => string;
  /** Refuses to save, as for a read-only file. */
  refuses: boolean;
  /** What language services say of a content. */
  lint: ((text: string) => readonly Problem[]) | undefined;
  /** Called after a save. */
  onSaved: () => Promise<void>;
  readonly saves: readonly string[];
  readonly disposed: number;
}

export function createFakeEditor(): FakeEditor {
  const unsavedTexts = new Map<string, string>();
  const saves: string[] = [];
  let disposed = 0;
  const editor: FakeEditor = {
    unsavedTexts,
    saves,
    get disposed() {
      return disposed;
    },
    format: (text) => text,
    refuses: false,
    lint: undefined,
    onSaved: async () => undefined,
    async unsaved(path) {
      const text = unsavedTexts.get(path);
      return text === undefined ? undefined : { kind: 'text', bytes: Buffer.from(text) };
    },
    async save(path) {
      if (editor.refuses) return false;
      saves.push(path);
      await writeFile(path, editor.format(unsavedTexts.get(path) ?? ''));
      unsavedTexts.delete(path);
      await editor.onSaved();
      return true;
    },
    async watchProblems(path) {
      const { lint } = editor;
      if (!lint) return undefined;
      const look = async () => lint(await readFile(path, 'utf8').catch(() => ''));
      return {
        before: await look(),
        settled: look,
        dispose: () => {
          disposed += 1;
        },
      };
    },
  };
  return editor;
}
