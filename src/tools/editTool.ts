// The tool that replaces text in a file.
import type { Tool } from '../runner/ports.ts';
import { editKind } from './changeKinds.ts';
import { noEditorFiles } from './editorFiles.ts';
import { recoverChange } from './fileChange.ts';
import { planChange } from './plannedChange.ts';
import { definitionOf } from './sdkTools.ts';

export function createEditTool(editor = noEditorFiles): Tool {
  return {
    definition: definitionOf(editKind.make),
    effect: 'edit',
    plan: (input, context) => planChange(editKind, input, context, editor),
    recover: recoverChange,
  };
}
