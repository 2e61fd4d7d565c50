// The tool that writes a whole text file.
import type { Tool } from '../runner/ports.ts';
import { writeKind } from './changeKinds.ts';
import { noEditorFiles } from './editorFiles.ts';
import { recoverChange } from './fileChange.ts';
import { planChange } from './plannedChange.ts';
import { definitionOf } from './sdkTools.ts';

export function createWriteTool(editor = noEditorFiles): Tool {
  return {
    definition: definitionOf(writeKind.make),
    effect: 'edit',
    plan: (input, context) => planChange(writeKind, input, context, editor),
    recover: recoverChange,
  };
}
