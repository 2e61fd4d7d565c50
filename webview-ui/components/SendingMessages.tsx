// Messages that the host has not recorded yet, above the input: dimmed, until they stand in the conversation or are back
// in the input. Only those that take a moment are shown: nothing flickers where the disk is quick.
import { useEffect, useState } from 'preact/hooks';
import type { KeptSend } from '../../src/core/keptDrafts.ts';
import { Icon } from './Icon.tsx';

/** Milliseconds. */
const noticeableAfter = 250;

export function SendingMessages({ sends }: { readonly sends: readonly KeptSend[] }) {
  if (sends.length === 0) return null;
  return (
    <ul class="sending" aria-label="Being sent">
      {sends.map((send) => (
        <SendingRow key={send.id} send={send} />
      ))}
    </ul>
  );
}

function SendingRow({ send }: { readonly send: KeptSend }) {
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), noticeableAfter);
    return () => clearTimeout(timer);
  }, []);
  if (!isShown) return null;
  const { text, images = [] } = send;
  const along = images.length === 0 ? '' : images.length === 1 ? '1 image' : `${images.length} images`;
  return (
    <li class="sending-row" title={text}>
      <Icon name="clock" class="queue-icon" />
      <span class="sending-text">{[text, along].filter((each) => each !== '').join(' · ')}</span>
      <span class="sending-word">sending</span>
    </li>
  );
}
