// Markdown → blocks that can be drawn and compared one by one, so that streaming replaces only the last ones.
// The HTML made here is NOT safe: sanitize.ts cleans it before it is drawn. No DOM.
import { Marked, type Token, type Tokens } from 'marked';

export type MarkdownBlock =
  | { readonly kind: 'code'; readonly raw: string; readonly language: string; readonly text: string }
  | { readonly kind: 'html'; readonly raw: string; readonly html: string };

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that may stand in HTML, attributes included. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (char) => escapes[char] ?? char);
}

const marked = new Marked({
  gfm: true,
  renderer: {
    // A model that writes a tag means to show it; nothing of it is ever markup here.
    html: ({ text }) => escapeHtml(text),
    // A remote image would tell its server that it was read: it becomes a link.
    image: ({ href, text }) => `<a href="${escapeHtml(href)}">${escapeHtml(text || href)}</a>`,
    // Wide tables scroll by themselves instead of widening the panel.
    table(token) {
      const row = (cells: readonly Tokens.TableCell[], tag: 'th' | 'td') =>
        `<tr>${cells
          .map((cell) => {
            const align = cell.align ? ` align="${cell.align}"` : '';
            return `<${tag}${align}>${this.parser.parseInline(cell.tokens)}</${tag}>`;
          })
          .join('')}</tr>`;
      const body = token.rows.map((cells) => row(cells, 'td')).join('');
      return `<div class="table-scroll" tabindex="0"><table><thead>${row(token.header, 'th')}</thead><tbody>${body}</tbody></table></div>`;
    },
    checkbox: ({ checked }) =>
      `<span class="task-mark codicon codicon-${checked ? 'check' : 'circle-large-outline'}"></span>` +
      `<span class="visually-hidden">${checked ? 'done' : 'to do'}: </span>`,
  },
});

function toBlock(token: Token): MarkdownBlock {
  if (token.type === 'code') {
    const code = token as Tokens.Code;
    return { kind: 'code', raw: code.raw, language: languageName(code.lang), text: code.text };
  }
  return { kind: 'html', raw: token.raw, html: marked.parser([token]) };
}

/** The first word of an info string, lower case: "ts title=x" → "ts". */
function languageName(info: string | undefined): string {
  return /^[\w+#-]+/.exec(info ?? '')?.[0].toLowerCase() ?? '';
}

/** All blocks of a finished text. */
export function markdownBlocks(markdown: string): readonly MarkdownBlock[] {
  return marked
    .lexer(markdown)
    .filter((token) => token.type !== 'space' && token.type !== 'def')
    .map(toBlock);
}

export interface StreamedBlocks {
  /** How much of the text the stable blocks cover, in characters. */
  readonly stableLength: number;
  readonly stable: readonly MarkdownBlock[];
  /** The blocks that more text may still change. */
  readonly open: readonly MarkdownBlock[];
}

export const noBlocks: StreamedBlocks = { stableLength: 0, stable: [], open: [] };

/**
 * Goes on parsing a text that only grows. All but the last two blocks are never parsed again: a markdown block cannot be
 * changed by what comes after the one that follows it. (Reference links are: the finished text is parsed as a whole.)
 */
export function continueBlocks(previous: StreamedBlocks, markdown: string): StreamedBlocks {
  const tokens: Token[] = marked.lexer(markdown.slice(previous.stableLength));
  const solid = tokens.filter((token) => token.type !== 'space' && token.type !== 'def');
  const firstOpen = solid.at(-2);
  const stable: MarkdownBlock[] = [...previous.stable];
  const open: MarkdownBlock[] = [];
  let length = previous.stableLength;
  let reachedOpen = false;
  for (const token of tokens) {
    reachedOpen ||= firstOpen === undefined || token === firstOpen;
    const isSolid = token.type !== 'space' && token.type !== 'def';
    if (reachedOpen) {
      if (isSolid) open.push(toBlock(token));
      continue;
    }
    length += token.raw.length;
    if (isSolid) stable.push(toBlock(token));
  }
  // The lexer normalises line ends, so lengths would drift from the text's own: such a text is parsed whole each time.
  const exact = !markdown.includes('\r');
  return exact
    ? { stableLength: length, stable, open }
    : { stableLength: 0, stable: [], open: markdownBlocks(markdown) };
}
