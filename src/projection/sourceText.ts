// The words for where the answers of a session come from, where that is a model of the editor.
import { isEditorModel } from '../core/editorModelId.ts';
import type { ModelSource } from '../protocol/view.ts';

export const editorSourceText = 'Model of the editor: no thinking, no prompt cache, tokens estimated';

/** What a session says instead of the panel's words; undefined where they hold. */
export function sessionSource(model: string, source: ModelSource): string | undefined {
  if (source.only) return undefined;
  if (isEditorModel(model)) return editorSourceText;
  return source.kind === 'editor' ? source.server : undefined;
}
