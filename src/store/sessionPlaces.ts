// Where the sessions of a workspace folder are. A session belongs to its folder, not to the window that made it: the
// windows of a machine keep their sessions in different roots, and a folder may be renamed or moved. What is written
// here beside the sessions is derived and may be deleted at any time; sessions themselves are never touched.
import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { z } from 'zod';
import type { FolderIdentity } from '../core/events.ts';
import { quickParser } from '../core/quickCheck.ts';
import { createFolder, readIfThere, replaceFile } from '../platform/durableFiles.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import type { AdoptableSessions } from '../runner/sessionStore.ts';
import { exists, namesIn } from './listing.ts';
import { readJournalHeader } from './journalReader.ts';
import { journalName } from './sessionSummary.ts';

export const trashName = 'trash';
const folderFile = 'folder.json';
const adoptedFile = 'adopted.json';

const folderRecordSchema = z.object({
  uri: z.string(),
  path: z.string(),
  /** What the file system calls the folder, whatever its name; empty where it has no such thing. */
  fileId: z.string(),
});
type FolderRecord = Readonly<z.infer<typeof folderRecordSchema>>;
const folderRecordOf = quickParser(folderRecordSchema);
const adoptedOf = quickParser(z.array(z.string()));

export interface PlacesOptions {
  /** Where new sessions of this window go. */
  readonly root: string;
  /** Roots of the other windows on this machine. */
  readonly otherRoots: () => Promise<readonly string[]>;
  /** The folders that are open in this window. */
  readonly openFolders: () => readonly FolderIdentity[];
}

/** The name of a workspace folder's place in a root: its URI may be long and hold anything. */
export function folderKey(folderUri: string): string {
  return createHash('sha256').update(folderUri).digest('hex').slice(0, 16);
}

export class SessionPlaces {
  readonly #options: PlacesOptions;

  constructor(options: PlacesOptions) {
    this.#options = options;
  }

  get root(): string {
    return this.#options.root;
  }

  /** The place for new sessions of a folder, made when needed. */
  async ownPlace(folder: FolderIdentity): Promise<string> {
    const place = this.#ownPlace(folder.uri);
    await createFolder(place);
    await this.#recordOf(place, folder);
    return place;
  }

  #ownPlace(folderUri: string): string {
    return join(this.#options.root, folderKey(folderUri));
  }

  /** All places with sessions of a folder: in each root, by its URI, by what the file system calls it, or adopted. */
  async placesOf(folderUri: string): Promise<readonly string[]> {
    const key = folderKey(folderUri);
    const path = this.#options.openFolders().find(({ uri }) => uri === folderUri)?.path;
    const [fileId, known] = await Promise.all([path === undefined ? '' : fileIdOf(path), this.#knownPlaces()]);
    const places = new Set([this.#ownPlace(folderUri)]);
    for (const { place, record } of known) {
      const isSame = fileId !== '' && record?.fileId === fileId;
      if (basename(place) === key || isSame) places.add(place);
      // It is here now: what it was called before must not count as gone, and be offered to others.
      if (isSame && path !== undefined && record.path !== path) {
        await replaceFile(join(place, folderFile), JSON.stringify({ uri: folderUri, path, fileId })).catch(
          ignoreSystem,
        );
      }
    }
    // Whichever window adopted them: they are the folder's, not the window's.
    const adopted = await Promise.all([...places].map((place) => readRecord(join(place, adoptedFile), adoptedOf)));
    return [...new Set([...places, ...adopted.flatMap((more) => more ?? [])])];
  }

  /** The open folder that a session's place belongs to. */
  async folderOf(sessionFolder: string): Promise<FolderIdentity | undefined> {
    const place = join(sessionFolder, '..');
    for (const folder of this.#options.openFolders()) {
      if ((await this.placesOf(folder.uri)).includes(place)) return folder;
    }
    return undefined;
  }

  /** The folder of a session in any root. @throws the error of the file system when it is in none that can be read */
  async find(sessionId: string, marker: string): Promise<string | undefined> {
    const folders = (await this.#allPlaces()).map((place) => join(place, sessionId));
    const found = await Promise.allSettled(folders.map((folder) => exists(join(folder, marker))));
    const at = found.findIndex((each) => each.status === 'fulfilled' && each.value);
    const unreadable = found.find((each) => each.status === 'rejected');
    if (at === -1 && unreadable) throw unreadable.reason;
    return folders[at];
  }

  /** The folder of a deleted session in any root. */
  async findInTrash(sessionId: string): Promise<string | undefined> {
    for (const root of await this.#roots()) {
      for (const key of await namesIn(join(root, trashName))) {
        const folder = join(root, trashName, key, sessionId);
        if (await exists(folder)) return folder;
      }
    }
    return undefined;
  }

  /**
   * Sessions that may belong to a folder and cannot be told for certain: those of folders that are not there any more,
   * the ones of the same name first.
   */
  async adoptable(folder: FolderIdentity): Promise<readonly AdoptableSessions[]> {
    const known = new Set(await this.placesOf(folder.uri));
    const found = new Map<string, { count: number; places: string[] }>();
    for (const { place, record } of await this.#knownPlaces()) {
      if (known.has(place)) continue;
      if (!record || (await exists(record.path))) continue;
      const sessions = await sessionsIn(place);
      if (sessions === 0) continue;
      const entry = found.get(record.path) ?? { count: 0, places: [] };
      entry.count += sessions;
      entry.places.push(place);
      found.set(record.path, entry);
    }
    return [...found]
      .map(([from, { count, places }]) => ({ from, count, places, sameName: basename(from) === basename(folder.path) }))
      .sort((a, b) => Number(b.sameName) - Number(a.sameName));
  }

  /** From now on the sessions of these places are the folder's. */
  async adopt(folder: FolderIdentity, places: readonly string[]): Promise<void> {
    const own = await this.ownPlace(folder);
    const file = join(own, adoptedFile);
    const before = (await readRecord(file, adoptedOf)) ?? [];
    await replaceFile(file, JSON.stringify([...new Set([...before, ...places])]));
  }

  async #roots(): Promise<readonly string[]> {
    return [this.#options.root, ...(await this.#options.otherRoots())];
  }

  async #allPlaces(): Promise<readonly string[]> {
    const places = await Promise.all(
      (await this.#roots()).map(async (root) =>
        (await namesIn(root)).filter((key) => key !== trashName).map((key) => join(root, key)),
      ),
    );
    return places.flat();
  }

  async #knownPlaces(): Promise<readonly { readonly place: string; readonly record: FolderRecord | undefined }[]> {
    const places = await this.#allPlaces();
    return Promise.all(places.map(async (place) => ({ place, record: await this.#recordOf(place) })));
  }

  /** What is known of the folder that a place is for; made anew from a session's header when it is missing. */
  async #recordOf(place: string, folder?: FolderIdentity): Promise<FolderRecord | undefined> {
    const file = join(place, folderFile);
    const known = await readRecord(file, folderRecordOf);
    if (known) return known;
    const identity = folder ?? (await folderOfAnySession(place));
    if (!identity) return undefined;
    const record = { uri: identity.uri, path: identity.path, fileId: await fileIdOf(identity.path) };
    await replaceFile(file, JSON.stringify(record)).catch(ignoreSystem);
    return record;
  }
}

/**
 * What the file system calls a folder: the same after a rename or a move on one disk, never the same for another one.
 * Empty when the folder is gone or its file system does not say when it was made.
 */
async function fileIdOf(path: string): Promise<string> {
  try {
    const { ino, birthtimeMs } = await stat(path);
    return birthtimeMs > 0 ? `${String(ino)}:${String(Math.round(birthtimeMs))}` : '';
  } catch {
    return '';
  }
}

/** What is derived may stay as it was where it cannot be written. */
function ignoreSystem(error: unknown): void {
  if (systemErrorCode(error) === undefined) throw error;
}

async function sessionsIn(place: string): Promise<number> {
  const names = await namesIn(place);
  const found = await Promise.all(names.map((name) => exists(join(place, name, journalName))));
  return found.filter(Boolean).length;
}

async function folderOfAnySession(place: string): Promise<FolderIdentity | undefined> {
  // Of a place that cannot be read nothing is known; it must not hide those beside it.
  for (const name of (await namesIn(place).catch(ignoreSystem)) ?? []) {
    const header = await readJournalHeader(join(place, name, journalName)).catch(() => undefined);
    if (header) return header.folder;
  }
  return undefined;
}

async function readRecord<T>(file: string, parse: (value: unknown) => T | undefined): Promise<T | undefined> {
  const text = await readIfThere(file).catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    return parse(JSON.parse(text));
  } catch (error) {
    // Derived data that was cut: it is made anew.
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
