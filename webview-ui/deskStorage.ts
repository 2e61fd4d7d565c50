// The page's own storage, for what must outlive the page from the key press on: the editor keeps a webview's state some
// time later, and not that of a page that is reloaded at once. Each page has a place of its own, which it holds by a lock
// while it lives; a page that opens later takes over what pages that are gone have left in the same workspace.
import * as z from 'zod/mini';
import { draftImageSchema } from './viewMemory.ts';

const contentShape = { text: z.string(), picked: z.optional(z.array(z.string())), at: z.number() };

const deskSchema = z.object({
  version: z.literal(1),
  drafts: z.array(z.object({ key: z.string(), ...contentShape })),
  sends: z.array(
    z.object({
      id: z.string(),
      sessionId: z.string(),
      isNew: z.optional(z.literal(true)),
      images: z.optional(z.array(draftImageSchema)),
      ...contentShape,
    }),
  ),
});
type StoredDesk = z.infer<typeof deskSchema>;
export type DeskContent = Pick<StoredDesk, 'drafts' | 'sends'>;

export interface DeskStorage {
  /** On the page's storage when it returns. */
  save(content: DeskContent): void;
  /** Calls back with what each page has left that is gone, once; soon after the page begins, or never. */
  takeOver(take: (content: DeskContent) => void): void;
}

/** For a page that has no storage: its messages are safe as soon as the host has them. */
export const noDeskStorage: DeskStorage = { save: () => undefined, takeOver: () => undefined };

/** A page that is being reloaded is gone within this time, in milliseconds; one that lives on keeps what it has. */
const patienceMs = 5_000;

/** Locks that a page holds until it is gone. */
export interface PageLocks {
  request(name: string, use: () => unknown): Promise<unknown>;
  request(name: string, options: { readonly signal: AbortSignal }, use: () => unknown): Promise<unknown>;
}

export interface DeskStorageParts {
  readonly storage: Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;
  /** Absent where pages cannot tell whether others live: then all are taken for gone. */
  readonly locks?: PageLocks | undefined;
  readonly pageId: string;
  /** Two workspaces do not see each other. */
  readonly workspace: string;
}

export function createDeskStorage({ storage, locks, pageId, workspace }: DeskStorageParts): DeskStorage {
  const prefix = `ratchet/${workspace}/`;
  const own = `${prefix}${pageId}`;
  // Held until the page is gone. Refused only where locks are: then nothing is lost by it.
  locks?.request(own, () => new Promise<void>(() => undefined)).catch(() => undefined);

  const write = (content: DeskContent): void => {
    if (content.drafts.length === 0 && content.sends.length === 0) storage.removeItem(own);
    else storage.setItem(own, JSON.stringify({ version: 1, ...content }));
  };
  const takeOne = (name: string, take: (content: DeskContent) => void): void => {
    const content = parsed(storage.getItem(name));
    if (content) take(content);
    storage.removeItem(name);
  };
  return {
    save(content) {
      try {
        write(content);
      } catch {
        // Images may be more than a page can store. The words matter most; the host has the images of a draft.
        const sends = content.sends.map(({ images: _images, ...rest }) => rest);
        try {
          write({ ...content, sends });
        } catch {
          // No room at all: the host keeps it.
        }
      }
    },
    takeOver(take) {
      const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
      for (const name of names.filter((each) => each.startsWith(prefix) && each !== own)) {
        if (!locks) {
          takeOne(name, take);
          continue;
        }
        const signal = AbortSignal.timeout(patienceMs);
        // Refused after the time: its page lives, and keeps what it has.
        locks.request(name, { signal }, () => takeOne(name, take)).catch(() => undefined);
      }
    },
  };
}

function parsed(text: string | null): DeskContent | undefined {
  if (text === null) return undefined;
  try {
    const result = deskSchema.safeParse(JSON.parse(text));
    return result.success ? result.data : undefined;
  } catch {
    return undefined;
  }
}
