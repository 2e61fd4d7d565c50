// What was on the screen last, kept with the page's own memory: a page that is made anew shows it, marked as what was,
// until the host is heard of. Nothing is in it that was not shown. No DOM.
import * as z from 'zod/mini';
import type { PanelView, TranscriptItem } from '../src/protocol/view.ts';
import type { PanelState } from './store.ts';

/** Of another shape of the view, nothing is shown. To be counted up when parts of the view change their type. */
const shape = 1;
const mostItems = 30;
/** Characters of JSON: the editor writes them with its own state, again and again. */
const mostCharacters = 80_000;

export interface KeptView {
  readonly panel: PanelView;
  readonly items: readonly TranscriptItem[];
  readonly earlier: number;
}

const keptSchema = z.object({
  shape: z.literal(shape),
  panel: z.object({ screen: z.enum(['session', 'empty', 'no_folder', 'untrusted']), sessions: z.array(z.unknown()) }),
  items: z.array(z.object({ kind: z.string(), id: z.string() })),
  earlier: z.number(),
});

/** The panel and its newest items that fit, as a value that can be stored; undefined before the first snapshot. */
export function keptValue({ panel, items, earlier }: PanelState): unknown {
  if (!panel) return undefined;
  // Their buttons are the business of the host that said it.
  const { notices: _gone, ...rest } = panel;
  let left = mostCharacters - JSON.stringify(rest).length;
  if (left < 0) return undefined;
  const newest = items.slice(-mostItems);
  const from =
    newest.findLastIndex((item) => {
      left -= JSON.stringify(item).length;
      return left < 0;
    }) + 1;
  const kept = newest.slice(from);
  return { shape, panel: rest, items: kept, earlier: earlier + items.length - kept.length };
}

/** What {@link keptValue} made, if it is that. */
export function parseKept(value: unknown): KeptView | undefined {
  // Deep inside it is as it was written by this very code: only the outline is looked at.
  return keptSchema.safeParse(value).success ? (value as KeptView) : undefined;
}
