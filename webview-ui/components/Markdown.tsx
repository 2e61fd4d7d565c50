// An answer's text, drawn block by block: while it streams only the last blocks change, once per animation frame,
// so that what is selected or read stays where it is.
import { useEffect, useRef, useState } from 'preact/hooks';
import { withoutTurns } from '../../src/core/visibleText.ts';
import { linkTarget } from '../links.ts';
import { continueBlocks, markdownBlocks, noBlocks, type MarkdownBlock } from '../markdownBlocks.ts';
import { sanitize } from '../sanitize.ts';
import { CodeBlock } from './Code.tsx';
import { usePanel } from './context.ts';

interface Props {
  readonly text: string;
  readonly streaming: boolean;
}

export function Markdown(props: Props) {
  const { post } = usePanel();
  const blocks = useBlocks({ ...props, text: withoutTurns(props.text) });
  const last = blocks.length - 1;
  const onClick = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link) return;
    // The editor's own handler would open it without our rules.
    event.preventDefault();
    event.stopPropagation();
    const target = linkTarget(link.getAttribute('href') ?? '');
    if (target?.kind === 'web') post({ type: 'openLink', href: target.href });
    if (target?.kind === 'file') post({ type: 'openFile', path: target.path });
  };
  return (
    <div class="markdown" onClick={onClick}>
      {blocks.map((block, index) =>
        block.kind === 'code' ? (
          <CodeBlock key={index} text={block.text} language={block.language} final={!props.streaming || index < last} />
        ) : (
          <HtmlBlock key={index} html={block.html} />
        ),
      )}
    </div>
  );
}

/** Drawn again only when its source differs: sanitising is the dear part. */
function HtmlBlock(props: { readonly html: string }) {
  const cleaned = useRef<{ readonly from: string; readonly html: string }>(undefined);
  if (cleaned.current?.from !== props.html) cleaned.current = { from: props.html, html: sanitize(props.html) };
  return <div class="markdown-block" dangerouslySetInnerHTML={{ __html: cleaned.current.html }} />;
}

function useBlocks(props: Props): readonly MarkdownBlock[] {
  const streamed = useRef(noBlocks);
  const whole = useRef<{ readonly text: string; readonly blocks: readonly MarkdownBlock[] }>(undefined);
  const latest = useRef(props.text);
  latest.current = props.text;
  const frame = useRef<number>(undefined);
  const [, drawAgain] = useState(0);

  useEffect(() => {
    if (!props.streaming || frame.current !== undefined) return;
    frame.current = requestAnimationFrame(() => {
      frame.current = undefined;
      streamed.current = continueBlocks(streamed.current, latest.current);
      drawAgain((count) => count + 1);
    });
  }, [props.text, props.streaming]);
  useEffect(
    () => () => {
      if (frame.current !== undefined) cancelAnimationFrame(frame.current);
    },
    [],
  );

  if (props.streaming) {
    // The first drawing has nothing to show yet: an empty answer would jump.
    if (streamed.current === noBlocks) streamed.current = continueBlocks(noBlocks, props.text);
    return [...streamed.current.stable, ...streamed.current.open];
  }
  if (whole.current?.text !== props.text) whole.current = { text: props.text, blocks: markdownBlocks(props.text) };
  return whole.current.blocks;
}
