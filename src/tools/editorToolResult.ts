// What a tool of the editor answers, as text: its parts one after the other. Must never know VS Code.

export type EditorToolPart =
  | { readonly kind: 'text'; readonly text: string }
  /** The JSON of a prompt that @vscode/prompt-tsx has rendered. */
  | { readonly kind: 'tsx'; readonly value: unknown }
  | { readonly kind: 'data'; readonly mimeType: string; readonly data: Uint8Array }
  /** Of a later editor. */
  | { readonly kind: 'unknown' };

export function editorToolText(parts: readonly EditorToolPart[]): string {
  return parts.map(textOf).join('\n');
}

function textOf(part: EditorToolPart): string {
  switch (part.kind) {
    case 'text':
      return part.text;
    case 'tsx':
      return promptText(part.value).trim();
    case 'data':
      if (/^text\/|[/+](json|xml|yaml)\b/i.test(part.mimeType)) return new TextDecoder().decode(part.data);
      return `(${part.mimeType}, ${String(part.data.length)} bytes, not shown)`;
    case 'unknown':
      return '(a part of a kind that is not known here, not shown)';
  }
}

const deepest = 200;

/** The texts of a rendered prompt in their order; a text or a message may ask for a line of its own. */
function promptText(value: unknown, depth = 0): string {
  if (typeof value === 'string') return value;
  if (depth > deepest || typeof value !== 'object' || value === null) return '';
  if (Array.isArray(value)) return value.map((each) => promptText(each, depth + 1)).join('');
  if ('node' in value) return promptText(value.node, depth + 1);
  const own = 'text' in value && typeof value.text === 'string' ? value.text : '';
  const breaks = 'lineBreakBefore' in value && value.lineBreakBefore !== undefined && value.lineBreakBefore !== false;
  const isBlock = 'ctorName' in value && typeof value.ctorName === 'string' && value.ctorName !== '';
  const inside = 'children' in value ? promptText(value.children, depth + 1) : '';
  return `${breaks ? '\n' : ''}${own}${inside}${isBlock && inside !== '' && !inside.endsWith('\n') ? '\n' : ''}`;
}
