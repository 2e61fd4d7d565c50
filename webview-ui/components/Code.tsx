// Code as it is shown everywhere: a block of an answer, the input of a step, a unified diff.
import { shownParts } from '../../src/core/visibleText.ts';
import { highlight } from '../highlight.ts';
import { escapeHtml } from '../markdownBlocks.ts';
import { sanitize } from '../sanitize.ts';
import { CopyButton } from './CopyButton.tsx';
import { ShownParts } from './Shown.tsx';

/** @param props.final while false the text still grows: it is drawn plain, which costs nothing per letter */
export function CodeBlock(props: { readonly text: string; readonly language: string; readonly final: boolean }) {
  return (
    <div class="code-block">
      <CopyButton text={() => props.text} label="Copy code" class="code-copy" />
      <pre tabIndex={0} aria-label={props.language ? `Code, ${props.language}` : 'Code'}>
        {props.language === 'diff' ? (
          <DiffLines text={props.text} />
        ) : (
          <HighlightedCode text={props.text} language={props.language} final={props.final} />
        )}
      </pre>
    </div>
  );
}

function HighlightedCode(props: { readonly text: string; readonly language: string; readonly final: boolean }) {
  if (!props.final || props.language === '') {
    return (
      <code key="plain">
        <ShownParts text={props.text} />
      </code>
    );
  }
  const { text, names } = withPlaces(props.text);
  const html = withMarks(sanitize(highlight(text, props.language)), names);
  return <code key="coloured" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Where the letters for private use begin: a text with marks has none of its own left. */
const firstPlace = 0xe000;
const places = 6_000;

/** The text with one letter for each mark, so that colouring does not take a mark apart. */
function withPlaces(text: string): { readonly text: string; readonly names: readonly string[] } {
  const names: string[] = [];
  const parts = shownParts(text, 'code').map((part) => {
    if (!part.isMark || names.length === places) return part.text;
    names.push(part.text);
    return String.fromCharCode(firstPlace + names.length - 1);
  });
  return { text: parts.join(''), names };
}

function withMarks(html: string, names: readonly string[]): string {
  if (names.length === 0) return html;
  return html.replace(/[\ue000-\uf8ff]/g, (place) => {
    const name = names[place.charCodeAt(0) - firstPlace] ?? '';
    return `<span class="odd-mark">${escapeHtml(name)}</span>`;
  });
}

/** The two lines that name the file, in a patch of one file: the step names it, and the place is dear. */
const fileLines = /^--- .*\n\+\+\+ .*\n(?=@@)/;

/** The commands, patches and arguments of steps. */
export function StepCode(props: { readonly language: 'shell' | 'diff' | 'json'; readonly text: string }) {
  if (props.language === 'diff') return <DiffLines text={props.text.replace(fileLines, '')} />;
  return <HighlightedCode text={props.text} language={props.language === 'shell' ? 'bash' : 'json'} final />;
}

function lineClass(line: string): string {
  if (line.startsWith('@@')) return 'diff-line diff-hunk';
  if (line.startsWith('+++') || line.startsWith('---')) return 'diff-line diff-file';
  if (line.startsWith('+')) return 'diff-line diff-added';
  if (line.startsWith('-')) return 'diff-line diff-removed';
  return 'diff-line';
}

function DiffLines(props: { readonly text: string }) {
  const lines = props.text.replace(/\n$/, '').split('\n');
  return (
    <code class="diff">
      {lines.map((line, index) => (
        <span key={index} class={lineClass(line)}>
          <ShownParts text={line} kind="diff" />
          {'\n'}
        </span>
      ))}
    </code>
  );
}
