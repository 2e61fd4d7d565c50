// A message that could not be sent comes back into the input, in front of what was typed since, with the reason.
import type { RefObject } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { usePanel } from './context.ts';

export interface RefusedDraft {
  readonly reason: string | undefined;
  clear(): void;
}

export function useRefusedDraft(key: string, field: RefObject<HTMLTextAreaElement | null>): RefusedDraft {
  const { memory, model } = usePanel();
  const refused = model.refused.value;
  // What was refused before this input was drawn has been handled by another one.
  const handled = useRef(refused?.count ?? 0);
  const [reason, setReason] = useState<string>();
  useEffect(() => {
    if (!refused || refused.count === handled.current) return;
    handled.current = refused.count;
    const typed = memory.draft(key).peek();
    memory.setDraft(key, typed.trim() === '' ? refused.text : `${refused.text}\n\n${typed}`);
    setReason(refused.reason);
    field.current?.focus();
  }, [refused, key]);
  useEffect(() => setReason(undefined), [key]);
  return { reason, clear: () => setReason(undefined) };
}
