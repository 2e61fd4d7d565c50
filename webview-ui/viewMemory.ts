// What the panel remembers by itself: drafts, folds and places, kept over hiding, moving and reloading the view.
// It must never hold anything that the host knows: sessions are only keys here.
import { signal, type Signal } from '@preact/signals';
import * as z from 'zod/mini';

const placeSchema = z.object({
  /** The item at the upper edge, and how far its top is above it, in pixels. Absent while at the end. */
  anchor: z.optional(z.object({ id: z.string(), offset: z.number() })),
  /** How many pages of earlier items had been loaded. */
  pages: z.number(),
});
export type Place = Readonly<z.infer<typeof placeSchema>>;

const sessionMemorySchema = z.object({
  draft: z.optional(z.string()),
  place: z.optional(placeSchema),
  /** Folds whose state is not the one they begin with. */
  folds: z.optional(z.record(z.string(), z.boolean())),
});
type SessionMemory = z.infer<typeof sessionMemorySchema>;

const memorySchema = z.object({ version: z.literal(1), sessions: z.record(z.string(), sessionMemorySchema) });

/** Sessions that are remembered; the ones used least recently are forgotten first. */
const maxSessions = 30;
/** Fits no session id: the draft of a session that does not exist yet. */
export const newSessionKey = '(new)';

export interface MemoryPort {
  getState(): unknown;
  setState(state: unknown): void;
}

export interface ViewMemory {
  /** The draft of one session. Writing it saves it. */
  draft(key: string): Signal<string>;
  setDraft(key: string, text: string): void;
  /** Whether a part is folded open. `initially` is what it begins with. */
  fold(key: string, id: string, initially: boolean): Signal<boolean>;
  setFold(key: string, id: string, open: boolean): void;
  place(key: string): Place | undefined;
  setPlace(key: string, place: Place): void;
  /** Hands everything over at once; the page may be gone the next moment. */
  flush(): void;
  dispose(): void;
}

function readMemory(port: MemoryPort): Map<string, SessionMemory> {
  const parsed = memorySchema.safeParse(port.getState());
  // State of another version, or none: beginning afresh costs a draft at most.
  return new Map(parsed.success ? Object.entries(parsed.data.sessions) : []);
}

/** @param saveDelayMs how long changes are gathered before they are handed to the editor, in milliseconds */
export function createViewMemory(port: MemoryPort, saveDelayMs = 60): ViewMemory {
  const sessions = readMemory(port);
  const drafts = new Map<string, Signal<string>>();
  const folds = new Map<string, Signal<boolean>>();
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = (): void => {
    if (timer === undefined) return;
    clearTimeout(timer);
    timer = undefined;
    port.setState({ version: 1, sessions: Object.fromEntries([...sessions].slice(-maxSessions)) });
  };
  const change = (key: string, changes: Partial<SessionMemory>): void => {
    const memory = { ...sessions.get(key), ...changes };
    // Moved to the end: the last one used.
    sessions.delete(key);
    sessions.set(key, memory);
    timer ??= setTimeout(flush, saveDelayMs);
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

  return {
    draft,
    setDraft(key, text) {
      draft(key).value = text;
      change(key, { draft: text });
    },
    fold,
    setFold(key, id, open) {
      fold(key, id, open).value = open;
      change(key, { folds: { ...sessions.get(key)?.folds, [id]: open } });
    },
    place: (key) => sessions.get(key)?.place,
    setPlace: (key, place) => change(key, { place }),
    flush,
    dispose: flush,
  };
}
