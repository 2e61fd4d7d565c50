// The tools of the editor and of its MCP servers as the model is offered them: names, descriptions and schemas that the
// Messages API takes. Pure; the same tool always gets the same definition.
import { z } from 'zod';
import { jsonObjectSchema, type ToolDefinition } from './messages.ts';
import { headOf, wellFormed } from './wellFormed.ts';

/** A tool as the editor describes it, kept as it was when it was chosen. */
export const editorToolSchema = z.object({
  name: z.string().min(1),
  description: z.string(),
  /** JSON schema of the input; absent when the tool has none. */
  inputSchema: jsonObjectSchema.optional(),
});
export type EditorTool = Readonly<z.infer<typeof editorToolSchema>>;

const prefix = 'editor_';
const longestName = 64;
const longestDescription = 4_000;

/**
 * The name under which the model knows a tool. It depends on the tool's own name alone, so that it never changes, and
 * begins with `editor_`, so that it is never that of a tool of ours.
 */
export function offeredName(name: string): string {
  const plain = name.replace(/[^a-zA-Z0-9_-]/g, '_');
  if (plain === name && prefix.length + name.length <= longestName) return `${prefix}${name}`;
  const mark = `_${hashOf(name)}`;
  return `${prefix}${plain.slice(0, longestName - prefix.length - mark.length)}${mark}`;
}

/** FNV-1a in 32 bits: tells names apart that look the same after they were made to fit. */
function hashOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(8, '0');
}

/** By offered name, in the order of these names. Of two tools that would have the same one, the first is offered. */
export function offeredTools(tools: readonly EditorTool[]): ReadonlyMap<string, EditorTool> {
  const offered = new Map<string, EditorTool>();
  const named = tools.map((tool) => [offeredName(tool.name), tool] as const);
  named.sort(([a, one], [b, other]) => (a === b ? compare(one.name, other.name) : compare(a, b)));
  for (const [name, tool] of named) if (!offered.has(name)) offered.set(name, tool);
  return offered;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export function definitionOfEditorTool({ name, description, inputSchema }: EditorTool): ToolDefinition {
  const { schema, note } = acceptable(inputSchema);
  const said = description.trim() === '' ? `The tool ${name} of the editor.` : description.trim();
  return {
    name: offeredName(name),
    description: headOf(`${said}${note}`.toWellFormed(), longestDescription),
    input_schema: wellFormed(schema),
  };
}

/** What the top of a schema may not have, by the rules of the API. */
const refusedAtTop: ReadonlySet<string> = new Set([
  '$schema',
  '$id',
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'enum',
  'const',
]);
const propertyName = /^[a-zA-Z0-9_.-]{1,64}$/;

/** A schema of an object. One that cannot be sent as it is is told in words: the editor checks the input anyhow. */
function acceptable(inputSchema: Record<string, unknown> | undefined): {
  readonly schema: Record<string, unknown>;
  readonly note: string;
} {
  const open = { type: 'object', properties: {} };
  if (!inputSchema) return { schema: open, note: '' };
  const entries = Object.entries(inputSchema).filter(([key]) => !refusedAtTop.has(key));
  const kept: Record<string, unknown> = { ...Object.fromEntries(entries), type: 'object' };
  const properties = jsonObjectSchema.safeParse(kept.properties ?? {});
  const fits =
    (inputSchema.type === undefined || inputSchema.type === 'object') &&
    properties.success &&
    Object.keys(properties.data).every((key) => propertyName.test(key));
  const isWhole = fits && Object.keys(inputSchema).every((key) => key.startsWith('$') || !refusedAtTop.has(key));
  const note = isWhole ? '' : `\n\nThe input has to match this JSON schema: ${JSON.stringify(inputSchema)}`;
  return { schema: fits ? { ...kept, properties: properties.data } : open, note };
}
