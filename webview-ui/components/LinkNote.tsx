// Says when the screen is not what the host has: above the input, so that it is seen where one is about to act.
import { unreachable } from '../../src/core/errors.ts';
import type { LinkState } from '../linkWatch.ts';
import { usePanel } from './context.ts';
import { Icon } from './Icon.tsx';

function wordsFor(link: LinkState): string {
  switch (link) {
    case 'live':
      return '';
    case 'connecting':
      return 'Reading your sessions…';
    case 'behind':
      return 'Catching up. This is some seconds old.';
    case 'lost':
      return 'Reconnecting. Your sessions are safe.';
    default:
      return unreachable(link);
  }
}

export function LinkNote() {
  const { model } = usePanel();
  const words = wordsFor(model.link.value);
  return (
    <div class="link-note" role="status">
      {words !== '' && (
        <span class={`link-words link-${model.link.value}`}>
          <Icon name="sync" class="link-icon" />
          {words}
        </span>
      )}
    </div>
  );
}
