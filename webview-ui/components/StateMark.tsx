// The state of a session as a mark and a word. Only "needs you" is loud.
import { unreachable } from '../../src/core/errors.ts';
import type { SessionView } from '../../src/protocol/view.ts';
import { stateTone, type StateTone } from '../store.ts';
import { Icon } from './Icon.tsx';

/** The icon differs with the state too: colour alone says nothing. */
export function stateIcon(tone: StateTone): string {
  switch (tone) {
    case 'idle':
      return 'circle-outline';
    case 'running':
      return 'circle-filled';
    case 'waiting':
      return 'bell';
    case 'done':
      return 'check';
    case 'failed':
      return 'error';
    case 'cut':
      return 'debug-pause';
    default:
      return unreachable(tone);
  }
}

export function StateMark(
  props: Pick<SessionView, 'state' | 'stateWord' | 'needsUser'> & { readonly isParked: boolean },
) {
  const tone = stateTone(props);
  return (
    <span class={`state-mark tone-${tone}`}>
      <Icon name={stateIcon(tone)} />
      <span>{props.stateWord}</span>
    </span>
  );
}
