// What every component may use, handed down once from main.tsx.
import { createContext } from 'preact';
import { useContext, useEffect } from 'preact/hooks';
import type { PanelMessage } from '../../src/protocol/messages.ts';
import type { Clock, Pace } from '../clock.ts';
import type { ComposerAssist } from '../composerAssist.ts';
import type { Outbox } from '../outbox.ts';
import type { PanelModel } from '../panelModel.ts';
import type { RefusedDrafts } from '../refusedDrafts.ts';
import type { TranscriptScroll } from '../transcriptScroll.ts';
import type { ViewMemory } from '../viewMemory.ts';

export interface PanelContext {
  readonly model: PanelModel;
  readonly memory: ViewMemory;
  readonly scroll: TranscriptScroll;
  readonly clock: Clock;
  readonly refusals: RefusedDrafts;
  readonly outbox: Outbox;
  readonly assist: ComposerAssist;
  readonly post: (message: PanelMessage) => void;
}

export const PanelContextHolder = createContext<PanelContext | undefined>(undefined);

export function usePanel(): PanelContext {
  const context = useContext(PanelContextHolder);
  if (!context) throw new Error('Drawn outside of the panel.');
  return context;
}

/** The time now, kept current at this pace while the component is on the screen. Milliseconds since 1970. */
export function useNow(pace: Pace): number {
  const { clock } = usePanel();
  useEffect(() => clock.hold(pace), [clock, pace]);
  return clock.now.value;
}
