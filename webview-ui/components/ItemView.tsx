// One item of the transcript, listening to its own signal: nothing else is drawn again when it changes.
import { unreachable } from '../../src/core/errors.ts';
import type { TranscriptItem } from '../../src/protocol/view.ts';
import { itemElementId } from '../transcriptScroll.ts';
import { dateText } from '../words.ts';
import { AgentCard } from './AgentCard.tsx';
import { usePanel } from './context.ts';
import { Divider } from './Divider.tsx';
import { Guarded } from './Guarded.tsx';
import { Icon } from './Icon.tsx';
import { Markdown } from './Markdown.tsx';
import { Step } from './Step.tsx';
import { Thinking } from './Thinking.tsx';
import { UserMessage } from './UserMessage.tsx';

export function ItemView(props: { readonly id: string }) {
  const { model } = usePanel();
  const item = model.item(props.id).value;
  if (!item) return null;
  return (
    <div class={`item item-${item.kind}`} id={itemElementId(item.id)} data-item={item.id}>
      <Guarded of={item}>
        <ItemBody item={item} />
      </Guarded>
    </div>
  );
}

const noticeIcons = { info: 'info', warning: 'warning', error: 'error' } as const;

function ItemBody({ item }: { readonly item: TranscriptItem }) {
  switch (item.kind) {
    case 'user':
      return <UserMessage item={item} />;
    case 'assistant':
      return (
        <>
          <span class="visually-hidden">Ratchet: </span>
          <Markdown text={item.markdown} streaming={item.streaming} />
          {item.cut && <div class="cut-mark">cut here</div>}
        </>
      );
    case 'thinking':
      return <Thinking id={item.id} text={item.text} streaming={item.streaming} />;
    case 'step':
      return item.agent ? <AgentCard step={item} agent={item.agent} inside={Inside} /> : <Step step={item} />;
    case 'divider':
      return <Divider id={item.id} at={item.at} text={item.text} detail={item.detail} />;
    case 'notice':
      return (
        <div class={`notice notice-${item.level}`} title={dateText(item.at)}>
          <Icon name={noticeIcons[item.level]} />
          <span class="notice-text">{item.text}</span>
        </div>
      );
    default:
      return unreachable(item);
  }
}

/** Given to the card, which is drawn by an item and holds items. */
function Inside(props: { readonly ids: readonly string[] }) {
  return props.ids.map((id) => <ItemView key={id} id={id} />);
}
