// What the panel remembers by itself: drafts, folds and places, kept over hiding, moving and reloading the view.
// It must never hold anything that the host knows: sessions are only keys here.
import { signal, type Signal } from '@preact/signals';
import * as z from 'zod/mini';
import { imageTypes } from '../src/core/imageFacts.ts';
import type { MessageImage } from '../src/core/images.ts';
import type { KeptDraft } from '../src/core/keptDrafts.ts';

const placeSchema = z.object({
  /** The item at the upper edge, and how far its top is above it, in pixels. Absent while at the end. */
  anchor: z.optional(z.object({ id: z.string(), offset: z.number() })),
  /** How many pages of earlier items had been loaded. */
  pages: z.number(),
});
export type Place = Readonly<z.infer<typeof placeSchema>>;

export const draftImageSchema = z.object({
  mediaType: z.enum(imageTypes),
  data: z.string(),
  width: z.number(),
  height: z.number(),
  name: z.optional(z.string()),
  preview: z.optional(z.string()),
});

const sessionMemorySchema = z.object({
  draft: z.optional(z.string()),
  /** Mentions in the draft that were chosen from a list. */
  picked: z.optional(z.array(z.string())),
  images: z.optional(z.array(draftImageSchema)),
  /** When the draft was changed last, in milliseconds since 1970: of two copies the newer one counts. */
  at: z.optional(z.number()),
  unsent: z.optional(z.object({ id: z.string(), sessionId: z.string(), text: z.string() })),
  place: z.optional(placeSchema),
  /** Folds whose state is not the one they begin with. */
  folds: z.optional(z.record(z.string(), z.boolean())),
});
type SessionMemory = z.infer<typeof sessionMemorySchema>;

const memorySchema = z.object({
  version: z.literal(1),
  sessions: z.record(z.string(), sessionMemorySchema),
  /** What was on the screen last: see keptView.ts. */
  shown: z.optional(z.unknown()),
});

/** Sessions that are remembered; the ones used least recently are forgotten first. */
const maxSessions = 30;
/** Characters of images that are kept over hiding and reloading, of all drafts: the editor writes them with its own state. */
export const keptImageData = 3_000_000;
/** A message that came back into the input without being recorded. Sent as it is, it is the same one. */
export type Unsent = NonNullable<SessionMemory['unsent']>;

/** Fits no session id: the draft of a session that does not exist yet. */
export const newSessionKey = '(new)';

export interface MemoryPort {
  getState(): unknown;
  setState(state: unknown): void;
}

/** What is left out of it is as it is here. */
export type OfferedDraft = Pick<KeptDraft, 'text' | 'picked' | 'images' | 'at'>;

export interface ViewMemory {
  /** The draft of one session. Writing it saves it. */
  draft(key: string): Signal<string>;
  setDraft(key: string, text: string): void;
  /** Mentions that were chosen from a list for this draft. */
  picked(key: string): readonly string[];
  setPicked(key: string, names: readonly string[]): void;
  /** Images of the draft. Those beyond {@link keptImageData} last as long as the page. */
  images(key: string): Signal<readonly MessageImage[]>;
  setImages(key: string, images: readonly MessageImage[]): void;
  /** When this draft was changed last, in milliseconds since 1970; 0 where it never was. */
  draftAt(key: string): number;
  /** Takes a copy of a draft that was kept elsewhere, when it is newer than this one. */
  offerDraft(key: string, draft: OfferedDraft): void;
  /** Calls back after each change of a draft until the returned function is called. */
  onDraftChanged(listener: (key: string) => void): () => void;
  unsent(key: string): Unsent | undefined;
  setUnsent(key: string, unsent: Unsent | undefined): void;
  /** Whether a part is folded open. `initially` is what it begins with. */
  fold(key: string, id: string, initially: boolean): Signal<boolean>;
  setFold(key: string, id: string, open: boolean): void;
  place(key: string): Place | undefined;
  setPlace(key: string, place: Place): void;
  /** What was kept by {@link keepShown}, also by the page before this one. */
  shown(): unknown;
  keepShown(value: unknown): void;
  /** Hands everything over at once; the page may be gone the next moment. */
  flush(): void;
  dispose(): void;
}

function readMemory(port: MemoryPort): Map<string, SessionMemory> {
  const parsed = memorySchema.safeParse(port.getState());
  // State of another version, or none: beginning afresh costs a draft at most.
  return new Map(parsed.success ? Object.entries(parsed.data.sessions) : []);
}

function readShown(port: MemoryPort): unknown {
  const parsed = memorySchema.safeParse(port.getState());
  return parsed.success ? parsed.data.shown : undefined;
}

/**
 * @param saveDelayMs how long changes are gathered before they are handed to the editor, in milliseconds
 * @param now milliseconds since 1970
 */
export function createViewMemory(port: MemoryPort, saveDelayMs = 60, now: () => number = Date.now): ViewMemory {
  const sessions = readMemory(port);
  let shown = readShown(port);
  const drafts = new Map<string, Signal<string>>();
  const folds = new Map<string, Signal<boolean>>();
  const listeners = new Set<(key: string) => void>();
  /** Drafts that were changed on this page. */
  const changedHere = new Set<string>();
  const imagesOf = new Map<string, Signal<readonly MessageImage[]>>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    port.setState({
      version: 1,
      sessions: Object.fromEntries(withinBudget([...sessions].slice(-maxSessions))),
      ...(shown !== undefined && { shown }),
    });
  };
  const change = (key: string, changes: Partial<SessionMemory>): void => {
    const memory = { ...sessions.get(key), ...changes };
    // Moved to the end: the last one used.
    sessions.delete(key);
    sessions.set(key, memory);
    timer ??= setTimeout(flush, saveDelayMs);
  };
  const changeDraft = (key: string, changes: Partial<SessionMemory>): void => {
    changedHere.add(key);
    change(key, { ...changes, at: now() });
    for (const listener of listeners) listener(key);
  };
  const draft = (key: string): Signal<string> => {
    const known = drafts.get(key);
    if (known) return known;
    const made = signal(sessions.get(key)?.draft ?? '');
    drafts.set(key, made);
    return made;
  };
  const fold = (key: string, id: string, initially: boolean): Signal<boolean> => {
    const name = `${key}\n${id}`;
    const known = folds.get(name);
    if (known) return known;
    const made = signal(sessions.get(key)?.folds?.[id] ?? initially);
    folds.set(name, made);
    return made;
  };

  const images = (key: string): Signal<readonly MessageImage[]> => {
    const known = imagesOf.get(key);
    if (known) return known;
    const made = signal<readonly MessageImage[]>(withoutUndefined(sessions.get(key)?.images ?? []));
    imagesOf.set(key, made);
    return made;
  };

  return {
    draft,
    setDraft(key, text) {
      draft(key).value = text;
      changeDraft(key, { draft: text });
    },
    picked: (key) => sessions.get(key)?.picked ?? [],
    setPicked: (key, names) => changeDraft(key, { picked: [...names] }),
    images,
    setImages(key, list) {
      images(key).value = list;
      changeDraft(key, { images: [...list] });
    },
    draftAt: (key) => sessions.get(key)?.at ?? 0,
    offerDraft(key, offered) {
      const own = draft(key).peek();
      const ownImages = images(key).peek();
      const at = sessions.get(key)?.at ?? 0;
      if (offered.at < at || (offered.at === at && ownImages.length > 0)) return;
      const text = changedHere.has(key) ? joinedDrafts(offered.text, own) : offered.text;
      const list = changedHere.has(key) && ownImages.length > 0 ? ownImages : (offered.images ?? ownImages);
      draft(key).value = text;
      images(key).value = list;
      const picked = [...new Set([...(offered.picked ?? []), ...(sessions.get(key)?.picked ?? [])])];
      change(key, { draft: text, picked, images: [...list], at: offered.at });
      for (const listener of listeners) listener(key);
    },
    onDraftChanged(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    unsent: (key) => sessions.get(key)?.unsent,
    setUnsent: (key, unsent) => change(key, { unsent }),
    fold,
    setFold(key, id, open) {
      fold(key, id, open).value = open;
      change(key, { folds: { ...sessions.get(key)?.folds, [id]: open } });
    },
    place: (key) => sessions.get(key)?.place,
    setPlace: (key, place) => change(key, { place }),
    shown: () => shown,
    keepShown(value) {
      shown = value;
      timer ??= setTimeout(flush, saveDelayMs);
    },
    flush,
    dispose: flush,
  };
}

/** Two texts that are to stand in one input: the one that is older first, and once where it is part of the other. */
export function joinedDrafts(older: string, newer: string): string {
  if (newer.trim() === '' || older.includes(newer.trim())) return older;
  return older.trim() === '' || newer.includes(older.trim()) ? newer : `${older}\n\n${newer}`;
}

/** The optional fields absent rather than undefined, as a recorded image has them. */
export function withoutUndefined(images: readonly z.infer<typeof draftImageSchema>[]): readonly MessageImage[] {
  return images.map(({ name, preview, ...image }) => ({
    ...image,
    ...(name !== undefined && { name }),
    ...(preview !== undefined && { preview }),
  }));
}

/** Drafts without the images that are too much, the ones used last kept first. */
function withinBudget(
  sessions: readonly (readonly [string, SessionMemory])[],
): readonly (readonly [string, SessionMemory])[] {
  let left = keptImageData;
  return sessions
    .toReversed()
    .map(([key, memory]) => {
      const { images, ...rest } = memory;
      if (!images || images.length === 0) return [key, rest] as const;
      const size = images.reduce((sum, { data }) => sum + data.length, 0);
      if (size > left) return [key, rest] as const;
      left -= size;
      return [key, memory] as const;
    })
    .toReversed();
}
