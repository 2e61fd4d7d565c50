// Own earlier messages by ArrowUp in an empty input, and back to the empty one by ArrowDown.
import { useState } from 'preact/hooks';
import { earlierMessages, historyStep, type HistoryPlace } from '../inputHistory.ts';
import { usePanel } from './context.ts';

/** Returns the handler of keys: whether it used the key up. */
export function useInputHistory(draft: string, edit: (text: string) => void): (event: KeyboardEvent) => boolean {
  const { model } = usePanel();
  const [place, setPlace] = useState<HistoryPlace | undefined>(undefined);
  return (event) => {
    if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return false;
    if (event.isComposing || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) return false;
    const texts = earlierMessages(model.items.peek());
    const step = historyStep(texts, draft, place, event.key === 'ArrowUp' ? 'back' : 'forward');
    if (step === undefined) return false;
    event.preventDefault();
    setPlace(step === 'draft' ? undefined : step);
    edit(step === 'draft' ? '' : step.text);
    return true;
  };
}
