// Moving by arrows in the transcript: up and down among the stops (steps and other folds), left and right within a line.

type Direction = 'previous' | 'next' | 'first' | 'last';
const vertical: Readonly<Record<string, Direction>> = {
  ArrowUp: 'previous',
  ArrowDown: 'next',
  Home: 'first',
  End: 'last',
};

/**
 * Handles an arrow key pressed anywhere in the transcript.
 * @returns whether the key was used up
 */
export function moveAmongStops(root: HTMLElement, event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
  const from = event.target instanceof HTMLElement ? event.target : root;
  // In an opened output the arrows scroll, in a field they edit.
  if (from !== root && from.closest('pre, input, textarea, select')) return false;
  const target =
    event.key === 'ArrowLeft' || event.key === 'ArrowRight'
      ? besides(from, event.key === 'ArrowRight')
      : above(root, from, vertical[event.key]);
  if (!target) return false;
  event.preventDefault();
  target.focus();
  target.scrollIntoView({ block: 'nearest' });
  return true;
}

function above(root: HTMLElement, from: HTMLElement, direction: Direction | undefined): HTMLElement | undefined {
  if (!direction) return undefined;
  // On the transcript itself these keys scroll.
  if (from === root && (direction === 'first' || direction === 'last')) return undefined;
  const stops = [...root.querySelectorAll<HTMLElement>('[data-stop]')];
  if (direction === 'first') return stops[0];
  if (direction === 'last') return stops.at(-1);
  const step = direction === 'next' ? 1 : -1;
  const line = from.closest('.step, .user-actions')?.querySelector<HTMLElement>('[data-stop]') ?? from;
  const at = stops.indexOf(line);
  if (at >= 0) return stops[at + step];
  // From the transcript itself: the last one that is in sight.
  const edge = root.getBoundingClientRect();
  return stops.findLast((stop) => stop.getBoundingClientRect().top < edge.bottom);
}

function besides(from: HTMLElement, forward: boolean): HTMLElement | undefined {
  const buttons = [...(from.closest('.step-line, .user-actions')?.querySelectorAll<HTMLElement>('button') ?? [])];
  const at = buttons.indexOf(from);
  return at < 0 ? undefined : buttons[at + (forward ? 1 : -1)];
}
