// The state of the list under the caret: which word it is for, what is in it, which line is chosen, what the keys do.
// Follows the combobox pattern with the keyboard staying in the field: a text area may have no other role than its own.
import { useEffect, useRef, useState } from 'preact/hooks';
import type { RefObject } from 'preact';
import type { PanelView } from '../../src/protocol/view.ts';
import {
  commandItems,
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
  const [span, setSpan] = useState<Span | undefined>(undefined);
  const [choice, setChoice] = useState(0);
  /** Where the list was sent away; it comes back for another word. */
  const dismissed = useRef<number | undefined>(undefined);
  const asked = useRef(0);
  const answer = assist.suggestions.value;
  const key = model.sessionKey.value;

  const query = span?.kind === 'mention' ? span.query : undefined;
  useEffect(() => {
    if (query !== undefined) asked.current = assist.ask(query);
  }, [query]);
  // Another session has another draft.
  useEffect(() => setSpan(undefined), [key]);
  useEffect(() => setChoice(0), [span?.kind, span?.query]);

  const commands = panel.session?.commands ?? panel.commands ?? [];
  const items = span ? itemsFor(span) : [];
  // The first answer for a word is waited for; until the next one comes, the last one stands.
  const isWaiting =
    span?.kind === 'mention' && (answer === undefined || (answer.id < asked.current && items.length === 0));
  const isOpen = span !== undefined && !isWaiting && (items.length > 0 || span.query !== '');
  const selected = Math.min(choice, items.length - 1);

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
    const found = el.selectionStart === el.selectionEnd ? spanAt(el.value, el.selectionStart) : undefined;
    if (found?.start !== dismissed.current) dismissed.current = undefined;
    const next = dismissed.current === undefined ? found : undefined;
    setSpan((now) => (now && next && isSame(now, next) ? now : next));
  };
  const close = (): void => {
    dismissed.current = span?.start;
    setSpan(undefined);
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
      setSpan(undefined);
      onCommand(edited.text.trim());
      return;
    }
    edit(edited);
    // What stands under the caret now is looked at when it is drawn.
    requestAnimationFrame(update);
  };

  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (!isOpen || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return false;
    const item = items[selected];
    switch (event.key) {
      case 'ArrowDown':
      case 'ArrowUp': {
        if (items.length === 0) return false;
        const step = event.key === 'ArrowDown' ? 1 : -1;
        setChoice((selected + step + items.length) % items.length);
        break;
      }
      case 'Escape':
        close();
        break;
      case 'Enter':
      case 'Tab':
        if (!item || event.shiftKey) return false;
        take(item, event.key === 'Tab' ? 'tab' : 'enter');
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
    close: () => setSpan(undefined),
    select: setChoice,
    take,
    onKeyDown,
  };
}

function isSame(a: Span, b: Span): boolean {
  return a.kind === b.kind && a.query === b.query && a.start === b.start && a.end === b.end;
}
