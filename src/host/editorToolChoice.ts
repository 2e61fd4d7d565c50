// Which tools of the editor the agent has: chosen by the user, kept in the editor's own state of this workspace, as they
// were described when they were chosen. So the prompt changes only when the choice does.
import * as vscode from 'vscode';
import { z } from 'zod';
import { editorToolSchema, offeredTools, type EditorTool } from '../core/editorTools.ts';
import type { Tool } from '../runner/ports.ts';
import { createEditorTool, type EditorToolPort } from '../tools/editorTool.ts';
import type { EditorToolPart } from '../tools/editorToolResult.ts';
import { tokenOf } from './editorModels.ts';
import type { Log } from './log.ts';

const stateKey = 'ratchet.editorTools';

export class EditorToolChoice {
  readonly #state: vscode.Memento;
  readonly #log: Log;
  /** Of the choice as it was read last. */
  #made: { readonly key: string; readonly tools: readonly Tool[] } = { key: '[]', tools: [] };

  constructor(state: vscode.Memento, log: Log) {
    this.#state = state;
    this.#log = log;
  }

  chosen(): readonly EditorTool[] {
    const kept = this.#state.get<unknown>(stateKey) ?? [];
    const parsed = z.array(editorToolSchema).safeParse(kept);
    if (parsed.success) return parsed.data;
    this.#log('The choice of editor tools cannot be read: none is used', parsed.error);
    return [];
  }

  async choose(tools: readonly EditorTool[]): Promise<void> {
    await this.#state.update(stateKey, tools.length === 0 ? undefined : tools);
  }

  /** In the order in which they are offered. */
  tools(): readonly Tool[] {
    const chosen = this.chosen();
    const key = JSON.stringify(chosen);
    if (key !== this.#made.key)
      this.#made = { key, tools: [...offeredTools(chosen).values()].map((tool) => createEditorTool(tool, editorPort)) };
    return this.#made.tools;
  }
}

/** Tools that the editor has now. Its own `inputSchema` may be any object. */
export function editorTools(): readonly EditorTool[] {
  return vscode.lm.tools.flatMap(({ name, description, inputSchema }): readonly EditorTool[] => {
    // Plain data, without what a state cannot keep.
    const json = JSON.stringify({ name, description, ...(inputSchema && { inputSchema }) });
    const parsed = editorToolSchema.safeParse(JSON.parse(json));
    return parsed.success ? [parsed.data] : [];
  });
}

/** Newer editors say who brings a tool; of an extension its own manifest does. Where neither does it is not known. */
const sourceSchema = z.object({ source: z.object({ id: z.string().optional(), label: z.string().optional() }) });

function providerOf(name: string): string | undefined {
  const { source } = sourceSchema.safeParse(vscode.lm.tools.find((tool) => tool.name === name)).data ?? {};
  const said = source?.id ?? source?.label;
  if (said !== undefined) return said;
  return vscode.extensions.all.find(({ packageJSON }) => {
    const manifest = manifestSchema.safeParse(packageJSON).data;
    return manifest?.contributes.languageModelTools.some((tool) => tool.name === name) === true;
  })?.id;
}

const manifestSchema = z.object({
  contributes: z.object({ languageModelTools: z.array(z.object({ name: z.string() })) }),
});

const editorPort: EditorToolPort = {
  find: (name) => {
    const tool = editorTools().find((each) => each.name === name);
    const provider = tool && providerOf(name);
    return tool && { ...tool, ...(provider !== undefined && { provider }) };
  },
  invoke: async (name, input, signal) => {
    const options = { input, toolInvocationToken: undefined };
    const { content } = await vscode.lm.invokeTool(name, options, tokenOf(signal));
    return content.map(partOf);
  },
};

function partOf(part: unknown): EditorToolPart {
  if (part instanceof vscode.LanguageModelTextPart) return { kind: 'text', text: part.value };
  if (part instanceof vscode.LanguageModelPromptTsxPart) return { kind: 'tsx', value: part.value };
  if (part instanceof vscode.LanguageModelDataPart) return { kind: 'data', mimeType: part.mimeType, data: part.data };
  return { kind: 'unknown' };
}
