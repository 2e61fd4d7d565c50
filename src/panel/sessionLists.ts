// The lists that the panel shows: the sessions of the open folders, and those that a folder may adopt. Derived from
// disk at each load; a load that had to read longer than a later one never takes the place of what that one found.
import { RatchetError } from '../core/errors.ts';
import type { FolderIdentity } from '../core/events.ts';
import type { AdoptableSessions, ListedSession } from '../runner/sessionStore.ts';
import type { Sessions } from '../runner/sessions.ts';

export type ListedRow = ListedSession & { readonly folderName: string };

/** Sessions that an open folder may adopt. */
export interface FolderOffer {
  readonly folder: FolderIdentity;
  readonly sessions: AdoptableSessions;
}

type SessionLister = Pick<Sessions, 'list' | 'adoptable'>;

export class SessionLists {
  readonly #sessions: SessionLister;
  readonly #folders: () => readonly FolderIdentity[];
  readonly #rows = new Newest<readonly ListedRow[]>([]);
  readonly #offers = new Newest<readonly FolderOffer[]>([]);

  constructor(sessions: SessionLister, folders: () => readonly FolderIdentity[]) {
    this.#sessions = sessions;
    this.#folders = folders;
  }

  /** The storage was read: where there is no row now, there is no session. */
  get isRead(): boolean {
    return this.#rows.isLoaded;
  }

  /** The last changed first. */
  get rows(): readonly ListedRow[] {
    return this.#rows.value;
  }

  /** Only those of a folder that was called as the open one is: the command offers the others too. */
  get offers(): readonly FolderOffer[] {
    return this.#offers.value;
  }

  /** @throws RatchetError `not_found` when it is not offered, or not any more */
  offer(folderUri: string, from: string): FolderOffer {
    const offer = this.offers.find(({ folder, sessions }) => folder.uri === folderUri && sessions.from === from);
    if (!offer) throw new RatchetError('not_found', 'These sessions are not offered any more.');
    return offer;
  }

  async loadRows(): Promise<void> {
    await this.#rows.load(async () => {
      const lists = await Promise.all(
        this.#folders().map(async (folder) =>
          (await this.#sessions.list(folder.uri)).map((row) => ({ ...row, folderName: folder.name })),
        ),
      );
      return lists.flat().sort((a, b) => b.updatedAt - a.updatedAt);
    });
  }

  async loadOffers(): Promise<void> {
    await this.#offers.load(async () => {
      const offers = await Promise.all(
        this.#folders().map(async (folder) => {
          const found = await this.#sessions.adoptable(folder);
          return found.filter(({ sameName }) => sameName).map((sessions) => ({ folder, sessions }));
        }),
      );
      return offers.flat();
    });
  }
}

/** What the load found that was begun last, of those that have come to their end. */
class Newest<T> {
  value: T;
  #begun = 0;
  #kept = 0;

  constructor(value: T) {
    this.value = value;
  }

  get isLoaded(): boolean {
    return this.#kept > 0;
  }

  async load(read: () => Promise<T>): Promise<void> {
    this.#begun += 1;
    const turn = this.#begun;
    const value = await read();
    if (turn < this.#kept) return;
    this.#kept = turn;
    this.value = value;
  }
}
