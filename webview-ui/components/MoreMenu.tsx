// The session's rarer actions behind one button; those of the product are in the title bar of the view. A menu as the
// keyboard expects it.
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { HostCommand } from '../../src/protocol/view.ts';
import { IconButton } from './Button.tsx';
import { usePanel } from './context.ts';

interface Entry {
  readonly label: string;
  readonly command: HostCommand;
}

const whileRunning: readonly Entry[] = [{ label: 'Stop, keep command running', command: 'stopKeepCommand' }];
const always: readonly Entry[] = [
  { label: 'Export trace…', command: 'exportTrace' },
  { label: 'Delete session…', command: 'deleteSession' },
];

export function MoreMenu(props: { readonly isRunning: boolean }) {
  const { post } = usePanel();
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const entries = props.isRunning ? [...whileRunning, ...always] : always;

  const buttons = (): HTMLElement[] => [...(root.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
  const focusTrigger = (): void => root.current?.querySelector<HTMLElement>('[aria-haspopup]')?.focus();
  // Before the next key can come: it is for the menu.
  useLayoutEffect(() => {
    if (!open) return undefined;
    buttons()[0]?.focus();
    const onPointerDown = (event: PointerEvent): void => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [open]);

  const onKeyDown = (event: KeyboardEvent): void => {
    if (!open) return;
    const all = buttons();
    const at = all.findIndex((button) => button === document.activeElement);
    const targets: Readonly<Record<string, number>> = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    };
    const target = targets[event.key];
    if (target !== undefined) {
      all[target]?.focus();
    } else if (event.key === 'Escape') {
      setOpen(false);
      focusTrigger();
    } else {
      if (event.key === 'Tab') setOpen(false);
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    <div class="menu-root" ref={root} onKeyDown={onKeyDown}>
      <IconButton icon="ellipsis" label="More actions" expanded={open} hasPopup="menu" onPress={() => setOpen(!open)} />
      {open && (
        <div class="menu" role="menu" aria-label="More actions">
          {entries.map((entry) => (
            <button
              key={entry.command}
              type="button"
              role="menuitem"
              tabIndex={-1}
              title={entry.label}
              onClick={() => {
                setOpen(false);
                focusTrigger();
                post({ type: 'command', command: entry.command });
              }}
            >
              {entry.label}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
