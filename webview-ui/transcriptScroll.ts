// Where the reader is in the transcript: follows the end only while at the end, keeps the place when older items come
// in front, and remembers it for each session. It must never know what the items are.
import { signal, type ReadonlySignal } from '@preact/signals';
import type { Place, ViewMemory } from './viewMemory.ts';

/** Closer to the end than this many pixels is "at the end": zoomed pages scroll in fractions. */
const endSlack = 8;

export interface TranscriptScroll {
  readonly atEnd: ReadonlySignal<boolean>;
  /** Something came below since the reader left the end. */
  readonly hasNewBelow: ReadonlySignal<boolean>;
  /** Takes over a scroller and its content; returns the release. `key` names the session. */
  attach(scroller: HTMLElement, content: HTMLElement, key: string, loadEarlier: () => boolean): () => void;
  /** To be called before older items are drawn in front. */
  beforeEarlier(): void;
  /** To be called before the reader opens or closes a fold: its line stays where the pointer is. */
  keepStill(): void;
  /** To be called when the list of items was drawn. */
  drawn(): void;
  toEnd(): void;
  toItem(id: string): void;
}

export function itemElementId(id: string): string {
  return `item-${id}`;
}

/** @param isCurrent false while only a part of what was shown last is on screen: a place in the rest is waited for */
export function createTranscriptScroll(memory: ViewMemory, isCurrent: () => boolean): TranscriptScroll {
  const atEnd = signal(true);
  const hasNewBelow = signal(false);
  let scroller: HTMLElement | undefined;
  let key = '';
  let pages = 0;
  let pagesToLoad = 0;
  let wanted: Place['anchor'];
  let askEarlier: () => boolean = () => false;
  let prepending: Place['anchor'];
  let below = 0;
  let width = 0;
  let lastTop = 0;
  let lastHeight = 0;
  /** The wheel, the pointer or a key moved it since it was at the end. */
  let isMoved = false;
  let still = false;

  const setTop = (top: number): void => {
    if (!scroller) return;
    scroller.scrollTop = top;
    // Not by the reader: the event that tells of it later must not be taken for somebody who goes up.
    lastTop = scroller.scrollTop;
    lastHeight = scroller.scrollHeight;
  };
  const isAtEnd = (el: HTMLElement): boolean => el.scrollHeight - el.scrollTop - el.clientHeight <= endSlack;
  const findItem = (id: string): HTMLElement | undefined => document.getElementById(itemElementId(id)) ?? undefined;

  const currentAnchor = (): Place['anchor'] => {
    if (!scroller) return undefined;
    const edge = scroller.getBoundingClientRect().top;
    for (const el of scroller.querySelectorAll<HTMLElement>('[data-item]')) {
      const box = el.getBoundingClientRect();
      if (box.bottom > edge + 1) return { id: el.dataset.item ?? '', offset: edge - box.top };
    }
    return undefined;
  };
  const goTo = (anchor: Place['anchor']): boolean => {
    const el = anchor && findItem(anchor.id);
    if (!scroller || !anchor || !el) return false;
    setTop(scroller.scrollTop + el.getBoundingClientRect().top - scroller.getBoundingClientRect().top + anchor.offset);
    return true;
  };
  const remember = (): void => {
    if (!scroller || wanted) return;
    const known = memory.place(key);
    // Following the end, which a stream does all the time, is one and the same place.
    if (atEnd.value && known?.anchor === undefined) return;
    const anchor = atEnd.value ? undefined : currentAnchor();
    memory.setPlace(key, { ...(anchor && { anchor }), pages: anchor ? pages : 0 });
  };
  const onScroll = (): void => {
    if (!scroller) return;
    const { scrollTop, scrollHeight } = scroller;
    // A list that shrank takes its end along; when it has grown again before that is told, nobody has gone up.
    const wentUp = scrollTop < lastTop - 1 && (isMoved || scrollHeight === lastHeight);
    lastTop = scrollTop;
    lastHeight = scrollHeight;
    below = scroller.scrollHeight - scrollTop;
    // What follows the end is left behind for a moment when the view gets lower (the banner comes up): only who goes up
    // leaves the end.
    if (isAtEnd(scroller)) {
      atEnd.value = true;
      isMoved = false;
    } else if (wentUp) atEnd.value = false;
    if (atEnd.value) hasNewBelow.value = false;
    remember();
  };
  const onGrown = (): void => {
    if (!scroller) return;
    // Items above that get their real height, and lines that break anew in another width, are nothing new.
    const grown = scroller.scrollHeight - scroller.scrollTop > below + 1 && scroller.clientWidth === width;
    // Items get their real height when they are first drawn: both the end and a restored place are kept through that.
    if (wanted) goTo(wanted);
    else if (atEnd.value) setTop(scroller.scrollHeight);
    else if (grown && !still) hasNewBelow.value = !isAtEnd(scroller);
    still = false;
    below = scroller.scrollHeight - scroller.scrollTop;
    width = scroller.clientWidth;
    atEnd.value = isAtEnd(scroller);
    remember();
  };
  /** The reader moved: from here on the remembered place is history. */
  const onMoved = (): void => {
    wanted = undefined;
    pagesToLoad = 0;
    isMoved = true;
  };
  const onInput = (event: Event): void => {
    // Going through, not about.
    if (!(event instanceof KeyboardEvent && event.key === 'Tab')) onMoved();
  };

  return {
    atEnd,
    hasNewBelow,
    attach(newScroller, content, newKey, loadEarlier) {
      scroller = newScroller;
      key = newKey;
      askEarlier = loadEarlier;
      const place = memory.place(key);
      wanted = place?.anchor;
      pages = 0;
      pagesToLoad = place?.pages ?? 0;
      atEnd.value = wanted === undefined;
      hasNewBelow.value = false;
      below = scroller.scrollHeight - scroller.scrollTop;
      width = scroller.clientWidth;
      lastTop = scroller.scrollTop;
      lastHeight = scroller.scrollHeight;
      isMoved = false;
      const observer = new ResizeObserver(onGrown);
      observer.observe(content);
      observer.observe(newScroller);
      newScroller.addEventListener('scroll', onScroll, { passive: true });
      for (const type of ['wheel', 'pointerdown', 'keydown'] as const) {
        newScroller.addEventListener(type, onInput, { passive: true });
      }
      return () => {
        observer.disconnect();
        newScroller.removeEventListener('scroll', onScroll);
        for (const type of ['wheel', 'pointerdown', 'keydown'] as const) newScroller.removeEventListener(type, onInput);
        scroller = undefined;
      };
    },
    beforeEarlier() {
      prepending = currentAnchor();
      pages++;
    },
    keepStill() {
      onMoved();
      still = true;
      atEnd.value = false;
    },
    drawn() {
      if (!scroller) return;
      if (prepending) {
        goTo(prepending);
        prepending = undefined;
        below = scroller.scrollHeight - scroller.scrollTop;
      }
      if (wanted && !goTo(wanted)) {
        if (!isCurrent()) return;
        if (pagesToLoad > 0 && askEarlier()) {
          pagesToLoad--;
          return;
        }
        wanted = undefined;
        atEnd.value = true;
      }
      if (atEnd.value) setTop(scroller.scrollHeight);
    },
    toEnd() {
      onMoved();
      atEnd.value = true;
      hasNewBelow.value = false;
      if (scroller) setTop(scroller.scrollHeight);
    },
    toItem(id) {
      onMoved();
      findItem(id)?.scrollIntoView({ block: 'nearest' });
    },
  };
}
