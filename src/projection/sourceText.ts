// The words for where the answers of a session come from, and for where they would come from next.
import type { Answers, ChosenConnection } from '../core/connection.ts';
import { isEditorModel } from '../core/editorModelId.ts';
import { changeText, noAnswer, type WayOut } from '../core/noConnection.ts';
import type { ModelSource, NoModelView, SessionView } from '../protocol/view.ts';

export const editorSourceText = 'Model of the editor: no thinking, no prompt cache, tokens estimated';

/** What a session says instead of the panel's words; undefined where they hold. */
export function sessionSource(model: string, source: ModelSource): string | undefined {
  if (source.only) return undefined;
  if (isEditorModel(model)) return editorSourceText;
  return source.kind === 'editor' ? source.server : undefined;
}

const wayLabels: Readonly<Record<WayOut, string>> = {
  setApiKey: 'Set API key',
  useEditorModels: "Use the editor's models",
  leaveDemo: 'Leave the demo',
  openSettings: 'Open settings',
};

/** What an idle session says of who would answer it next, where that is nobody, or another than before. */
export function answeredBy(
  next: ChosenConnection,
  answers: Answers,
  { state, readOnly }: Pick<SessionView, 'state' | 'readOnly'>,
): { readonly source?: string; readonly noModel?: NoModelView; readonly change?: string } {
  // What runs goes on with what it began with.
  if (state === 'running' || readOnly !== undefined) return {};
  if (next.kind !== 'none') {
    const change = changeText(answers.last, next.connection, 'next');
    return change === undefined ? {} : { change };
  }
  const { title, text, ways } = noAnswer(next.reason, answers);
  const noModel = { title, text, ways: ways.map((command) => ({ label: wayLabels[command], command })) };
  return { source: title, noModel };
}
