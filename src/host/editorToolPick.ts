// The command "Choose Editor Tools": which tools of the editor and of its MCP servers the agent has in this workspace.
import * as vscode from 'vscode';
import type { EditorTool } from '../core/editorTools.ts';
import { visibleLabel } from '../core/visibleText.ts';
import { countOf } from '../core/words.ts';
import { editorTools } from './editorToolChoice.ts';
import { tell, type Runtime } from './runtime.ts';

interface ToolItem extends vscode.QuickPickItem {
  readonly tool: EditorTool;
}

/** Asks for the tools; what is chosen holds from the next message on. */
export async function chooseEditorTools(runtime: Runtime): Promise<void> {
  const choice = runtime.editorTools;
  const there = editorTools().toSorted((a, b) => a.name.localeCompare(b.name));
  const chosen = new Map(choice.chosen().map((tool) => [tool.name, tool]));
  const gone = [...chosen.values()].filter(({ name }) => !there.some((tool) => tool.name === name));
  if (there.length === 0 && gone.length === 0) {
    tell(runtime, {
      level: 'info',
      text: 'This editor has no tools to choose from. Extensions and MCP servers bring them along.',
    });
    return;
  }
  // What is chosen comes first: the editor has many of its own.
  const items = [
    ...gone.map((tool) => ({ ...itemOf(tool, true), description: 'not there now' })),
    ...there.filter(({ name }) => chosen.has(name)).map((tool) => itemOf(tool, true)),
    ...there.filter(({ name }) => !chosen.has(name)).map((tool) => itemOf(tool, false)),
  ];
  const picked = await vscode.window.showQuickPick(items, {
    title: 'Tools of the editor for Ratchet in this workspace',
    placeHolder: 'The agent may ask to use what is checked. None are by default',
    canPickMany: true,
    matchOnDetail: true,
  });
  if (!picked) return;
  await choice.choose(picked.map(({ tool }) => tool));
  const words =
    picked.length === 0
      ? 'No tools of the editor are used in this workspace.'
      : `${countOf(picked.length, 'tool')} of the editor can be used from the next message on. Each call is asked about, as commands are.`;
  tell(runtime, { level: 'info', text: words });
}

function itemOf(tool: EditorTool, picked: boolean): ToolItem {
  const detail = tool.description.replace(/\s+/g, ' ').trim();
  return {
    tool,
    label: visibleLabel(tool.name, 'code'),
    picked,
    ...(detail !== '' && { detail: visibleLabel(detail) }),
  };
}
