// The list above the input: files for an `@`, commands for a `/`. The keyboard stays in the field; a screen reader is
// told the line that is chosen and how many there are.
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { CompletionItem } from '../completion.ts';
import { countText } from '../words.ts';
import { Icon } from './Icon.tsx';
import { PathName } from './PathName.tsx';
import { Shown, shown } from './Shown.tsx';
import { listId, optionId, type Completion } from './useCompletion.ts';

const labels = { mention: 'Files and folders', command: 'Commands', model: 'Models' } as const;

export function CompletionList({ completion }: { readonly completion: Completion }) {
  const { isOpen, items, selected, kind } = completion;
  const list = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [selected, items]);
  if (!isOpen || kind === undefined) return <CompletionCount text="" />;
  return (
    <>
      <div
        ref={list}
        id={listId}
        class="completions"
        role="listbox"
        aria-label={labels[kind]}
        // The field keeps the keyboard.
        onMouseDown={(event) => event.preventDefault()}
      >
        {items.map((item, index) => (
          <div
            key={item.key}
            id={optionId(index)}
            class={`completion ${item.unavailable === undefined ? '' : 'completion-unavailable'}`}
            role="option"
            aria-selected={index === selected}
            aria-disabled={kind === 'command' && item.unavailable !== undefined}
            // In one piece: the parts of a path are boxes of their own.
            aria-label={nameOf(item)}
            title={titleOf(item)}
            onMouseMove={() => completion.select(index)}
            onClick={() => completion.take(item)}
          >
            <Icon name={item.icon} />
            {item.isPath ? (
              <PathName path={item.label} />
            ) : (
              <span class="completion-label">
                <Shown text={item.label} />
              </span>
            )}
            <span class="completion-detail">
              <Shown text={item.unavailable ?? item.detail ?? ''} kind="prose" />
            </span>
          </div>
        ))}
        {items.length === 0 && <div class="completion-empty">{completion.empty}</div>}
      </div>
      <CompletionCount
        text={items.length === 0 ? completion.empty : countText(items.length, 'suggestion', 'suggestions')}
      />
    </>
  );
}

function nameOf({ label, detail, unavailable }: CompletionItem): string {
  const more = unavailable ?? detail;
  return shown(more === undefined ? label : `${label}, ${more}`);
}

function titleOf({ label, detail, unavailable, isFolder }: CompletionItem): string {
  const more = unavailable ?? detail;
  return `${shown(label)}${more === undefined ? '' : `\n${more}`}${isFolder ? '\nEnter attaches its list of files, Tab goes into it' : ''}`;
}

function CompletionCount(props: { readonly text: string }) {
  return (
    <div class="visually-hidden" role="status">
      {props.text}
    </div>
  );
}
