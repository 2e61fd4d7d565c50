// The scrolling middle: earlier items on demand, the items, the files of the last run, the way back to the end.
// A log whose own live region is off: LiveRegion.tsx speaks for it.
import { useLayoutEffect, useRef } from 'preact/hooks';
import { moveAmongStops } from '../keyboard.ts';
import { countText } from '../words.ts';
import { Button, IconButton } from './Button.tsx';
import { usePanel } from './context.ts';
import { FilesChanged } from './FilesChanged.tsx';
import { ItemView } from './ItemView.tsx';

export function Transcript() {
  const { model, scroll, post } = usePanel();
  const scroller = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const ids = model.itemIds.value;
  const key = model.sessionKey.value;
  const earlier = model.earlier.value;
  const first = ids[0];

  const loadEarlier = (): boolean => {
    const beforeId = model.itemIds.peek()[0];
    if (beforeId === undefined || model.earlier.peek() === 0) return false;
    post({ type: 'loadEarlier', beforeId });
    return true;
  };
  useLayoutEffect(() => {
    if (!scroller.current || !content.current) return undefined;
    return scroll.attach(scroller.current, content.current, key, loadEarlier);
  }, [key]);
  const link = model.link.value;
  useLayoutEffect(() => scroll.drawn(), [key, ids, link]);
  // The keyboard lost its place when the button that was pressed is gone.
  const askedByKeyboard = useRef(false);
  useLayoutEffect(() => {
    if (!askedByKeyboard.current) return;
    askedByKeyboard.current = false;
    scroller.current?.focus({ preventScroll: true });
  }, [first]);

  return (
    <div class="transcript-frame">
      <div
        ref={scroller}
        class="transcript"
        role="log"
        aria-label="Transcript"
        aria-live="off"
        tabIndex={0}
        onKeyDown={(event) => {
          if (moveAmongStops(event.currentTarget, event)) return;
          if (event.target !== event.currentTarget) return;
          if (event.key === 'End') scroll.toEnd();
        }}
      >
        <div ref={content} class="transcript-content">
          {earlier > 0 && (
            <div class="earlier">
              <Button
                kind="link"
                label={`Show ${countText(earlier, 'earlier item', 'earlier')}`}
                onPress={() => {
                  askedByKeyboard.current = document.activeElement?.matches(':focus-visible') ?? false;
                  loadEarlier();
                }}
              />
            </div>
          )}
          {ids.map((id) => (
            <ItemView key={id} id={id} />
          ))}
          <FilesChanged />
        </div>
      </div>
      <EndButton />
    </div>
  );
}

function EndButton() {
  const { scroll } = usePanel();
  if (scroll.atEnd.value) return null;
  const hasNew = scroll.hasNewBelow.value;
  return (
    <IconButton
      icon="arrow-down"
      class={hasNew ? 'end-button has-new' : 'end-button'}
      label={hasNew ? 'New below' : 'Go to the end'}
      hint={hasNew ? 'New below: go to the end (End)' : 'Go to the end (End)'}
      onPress={() => scroll.toEnd()}
    >
      {hasNew && <span>New below</span>}
    </IconButton>
  );
}
