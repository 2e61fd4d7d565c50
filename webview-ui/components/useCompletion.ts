// The state of the list under the caret: which word it is for, what is in it, which line is chosen, what the keys do.
// Follows the combobox pattern with the keyboard staying in the field: a text area may have no other role than its own.
import { useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { PanelView } from '../../src/protocol/view.ts';
import {
  commandItems,
  fittingItems,
  mentionItems,
  modelItems,
  nothingFound,
  spanAt,
  withItem,
  type CompletionItem,
  type Edited,
  type Span,
} from '../completion.ts';
import { usePanel } from './context.ts';

export const listId = 'completions';
export const optionId = (index: number): string => `completion-${index}`;

export interface Completion {
  readonly isOpen: boolean;
  readonly items: readonly CompletionItem[];
  readonly selected: number;
  /** What stands in an open list without lines. */
  readonly empty: string;
  readonly kind: Span['kind'] | undefined;
  /** To be called whenever the text or the caret may have changed. */
  readonly update: () => void;
  readonly close: () => void;
  readonly select: (index: number) => void;
  readonly take: (item: CompletionItem, how?: 'enter' | 'tab') => void;
  /** Uses up the keys that move in the list. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
}

interface Wiring {
  readonly field: RefObject<HTMLTextAreaElement | null>;
  readonly panel: PanelView;
  /** Puts a text into the field, with the caret in its place. */
  readonly edit: (edited: Edited) => void;
  /** A mention was chosen. */
  readonly onMention: (name: string) => void;
  /** A command was chosen that needs nothing more. */
  readonly onCommand: (text: string) => void;
}

export function useCompletion({ field, panel, edit, onMention, onCommand }: Wiring): Completion {
  const { assist, model } = usePanel();
  const key = model.sessionKey.value;
  /** Another session has another draft: what was found in that of one holds there only. */
  const [found, setFound] = useState<{ readonly key: string; readonly span: Span } | undefined>(undefined);
  const span = found?.key === key ? found.span : undefined;
  /** By its key and for its word: whatever comes between a key that moves and one that takes, the line stays chosen. */
  const [choice, setChoice] = useState<{ readonly span: Span; readonly item: string } | undefined>(undefined);
  /** Where the list was sent away; it comes back for another word. */
  const dismissed = useRef<number | undefined>(undefined);
  const asked = useRef<{ readonly query: string; readonly id: number } | undefined>(undefined);
  const answer = assist.suggestions.value;

  const commands = panel.session?.commands ?? panel.commands ?? [];
  const isAnswered = span?.kind !== 'mention' || (answer !== undefined && answer.id === asked.current?.id);
  // Until the answer for this word comes, what fits of the last one stands, or all of it, of which nothing was meant.
  const known = span ? itemsFor(span) : [];
  const fitting = span && !isAnswered ? fittingItems(known, span.query) : known;
  const items = fitting.length > 0 ? fitting : known;
  const isWaiting = !isAnswered && items.length === 0;
  const isOpen = span !== undefined && !isWaiting && (items.length > 0 || span.query !== '');
  const chosen = choice?.span === span ? items.findIndex((item) => item.key === choice?.item) : 0;
  const selected = Math.min(Math.max(chosen, 0), items.length - 1);

  function itemsFor({ kind, query: typed }: Span): readonly CompletionItem[] {
    switch (kind) {
      case 'mention':
        return mentionItems(answer?.suggestions ?? []);
      case 'command':
        return commandItems(commands, typed);
      case 'model':
        return modelItems(panel.models, typed, panel.session?.nextModel ?? panel.session?.model);
    }
  }

  const update = (): void => {
    const el = field.current;
    if (!el || el.readOnly) return;
    const there = el.selectionStart === el.selectionEnd ? spanAt(el.value, el.selectionStart) : undefined;
    if (there?.start !== dismissed.current) dismissed.current = undefined;
    const next = dismissed.current === undefined ? there : undefined;
    const query = next?.kind === 'mention' ? next.query : undefined;
    if (query !== asked.current?.query)
      asked.current = query === undefined ? undefined : { query, id: assist.ask(query) };
    setFound((now) => {
      if (!next) return undefined;
      return now?.key === key && isSame(now.span, next) ? now : { key, span: next };
    });
  };
  const close = (): void => {
    asked.current = undefined;
    setFound(undefined);
  };
  const dismiss = (): void => {
    dismissed.current = span?.start;
    close();
  };
  const select = (index: number): void => {
    const item = items[index];
    if (span && item) setChoice({ span, item: item.key });
  };
  const take = (item: CompletionItem, how: 'enter' | 'tab' = 'enter'): void => {
    const el = field.current;
    if (!el || !span) return;
    const goesInto = item.isFolder === true && how === 'tab';
    const edited = withItem(el.value, span, item, goesInto);
    if (item.mention !== undefined && !goesInto) onMention(item.mention);
    // One that makes no sense now is tried too: it says why.
    const isAsked = span.kind === 'command' && item.unavailable !== undefined;
    if (isAsked || (item.isComplete && how === 'enter')) {
      close();
      onCommand(edited.text.trim());
      return;
    }
    edit(edited);
    update();
  };

  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
    const item = items[selected];
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        if (items.length === 0) return false;
        const step = event.key === 'ArrowDown' ? 1 : -1;
        select((selected + step + items.length) % items.length);
        break;
      }
      case 'Escape':
        dismiss();
        break;
      case 'Enter':
      case 'Tab':
        if (!item || event.shiftKey) return false;
        if (fitting.length > 0) take(item, event.key === 'Tab' ? 'tab' : 'enter');
        break;
      default:
        return false;
    }
    event.preventDefault();
    event.stopPropagation();
    return true;
  };

  return {
    isOpen,
    items,
    selected,
    empty: span ? nothingFound(span) : '',
    kind: span?.kind,
    update,
    close,
    select,
    take,
    onKeyDown,
  };
}

function isSame(a: Span, b: Span): boolean {
  return a.kind === b.kind && a.query === b.query && a.start === b.start && a.end === b.end;
}
