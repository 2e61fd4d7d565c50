// The looks at folders before and after commands, each going on from the one before it: what a command left is what the
// next one finds, but for what the folder's times say. One for a window; what it remembers may be forgotten at any time.
import { messageOf } from '../core/errors.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { areTimesSound } from './fileTimes.ts';
import { scanFolder, scanLimit, type FolderScan } from './folderScan.ts';

/** Folders of which a scan is remembered: some 6 MB for one of 100,000 files. */
const remembered = 2;

export class FolderLooks {
  readonly #limit: number;
  readonly #areTimesSound: typeof areTimesSound;
  readonly #known = new Map<string, FolderScan>();
  readonly #prepared = new Map<string, Promise<Error | undefined>>();

  /** @param limit files of a folder that are looked at; 100,000 by default */
  constructor(limit = scanLimit, areSound = areTimesSound) {
    this.#limit = limit;
    this.#areTimesSound = areSound;
  }

  /** Begins to look at a folder in which a command may be run soon; a failure shows when it is. */
  prepare(folder: string, storage: string): void {
    if (this.#known.has(folder) || this.#prepared.has(folder)) return;
    this.#prepared.set(folder, this.#prepare(folder, storage));
  }

  /**
   * The folder as a command finds it that is started now: its names as they are, and stamps that are at least good enough
   * to tell what the command changes.
   * @throws the system's error when the folder can't be read
   */
  async before(folder: string, storage: string): Promise<FolderScan> {
    const failure = await this.#prepared.get(folder);
    this.#prepared.delete(folder);
    if (failure && systemErrorCode(failure) === undefined) throw failure;
    const sound = await this.#areTimesSound(folder, storage);
    const known = sound ? (this.#known.get(folder) ?? (await this.#scan(folder, sound))) : this.#known.get(folder);
    return this.#remember(
      folder,
      await scanFolder(folder, { limit: this.#limit, sound, known, stamps: sound ? 'unknown' : 'all' }),
    );
  }

  /**
   * The folder as it is now, each file stamped.
   * @throws the system's error when the folder can't be read
   */
  async now(folder: string, storage: string): Promise<FolderScan> {
    return this.#remember(folder, await this.#scan(folder, await this.#areTimesSound(folder, storage)));
  }

  #scan(folder: string, sound: boolean): Promise<FolderScan> {
    return scanFolder(folder, { limit: this.#limit, sound, known: this.#known.get(folder) });
  }

  async #prepare(folder: string, storage: string): Promise<Error | undefined> {
    try {
      if (await this.#areTimesSound(folder, storage)) this.#remember(folder, await this.#scan(folder, true));
      return undefined;
    } catch (error) {
      return error instanceof Error ? error : new Error(messageOf(error));
    }
  }

  #remember(folder: string, scan: FolderScan): FolderScan {
    this.#known.delete(folder);
    this.#known.set(folder, scan);
    for (const other of this.#known.keys()) if (this.#known.size > remembered) this.#known.delete(other);
    return scan;
  }
}
