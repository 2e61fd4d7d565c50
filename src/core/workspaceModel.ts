// Whether a model that a workspace names counts: a folder that somebody else wrote must not send a conversation to another
// provider without a word. Pure; asking and remembering are the host's.
import { editorConnection, isSameConnection, type Connection } from './connection.ts';
import { isEditorModel } from './editorModelId.ts';

/** What the user said about a value; kept for the workspace. */
export type WorkspaceAnswer = 'use' | 'own';

export type WorkspaceVerdict =
  /** The workspace names none, or one that the same connection answers, or the user said so. */
  | { readonly kind: 'counts'; readonly model: string }
  /** The user's own counts. `asked`: that is what the user said; else it is still to be asked. */
  | { readonly kind: 'own'; readonly model: string; readonly asked: boolean };

/** @param own what the user has set, or the default; of an agent, the model of its session */
export function judgeWorkspaceModel(
  own: string,
  named: string | undefined,
  answer: WorkspaceAnswer | undefined,
): WorkspaceVerdict {
  if (named === undefined || isSameConnection(kindOf(own), kindOf(named)) || answer === 'use')
    return { kind: 'counts', model: named ?? own };
  return { kind: 'own', model: own, asked: answer === 'own' };
}

/** There is one server at most, whichever it is. */
function kindOf(model: string): Connection {
  return isEditorModel(model) ? editorConnection(model) : { provider: 'anthropic' };
}
