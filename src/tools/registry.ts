// The tools that the agent has, in the order in which they are offered: it is part of every request's bytes.
import type { Tool } from '../runner/ports.ts';
import { noEditorFiles } from './editorFiles.ts';
import { createEditTool } from './editTool.ts';
import { createGlobTool } from './globTool.ts';
import { createGrepTool } from './grepTool.ts';
import { createReadTool } from './readTool.ts';
import { createRunCommandTool, type RunCommandOptions } from './runCommand.ts';
import { createTasksTool } from './tasksTool.ts';
import { createWriteTool } from './writeTool.ts';

/** All tools. Their definitions are frozen and the same on every start. */
export function createTools(options: RunCommandOptions, editor = noEditorFiles): readonly Tool[] {
  return [
    createReadTool(editor),
    createGlobTool(),
    createGrepTool(),
    createWriteTool(editor),
    createEditTool(editor),
    createRunCommandTool(options),
    createTasksTool(),
  ];
}
