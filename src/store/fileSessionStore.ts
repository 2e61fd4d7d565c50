// Sessions as folders: <root>/<key of the workspace folder>/<session id>/journal.jsonl and what belongs to it.
// Nothing in here is deleted because it could not be read.
import { mkdir, rename, rmdir, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { monotonicFactory } from 'ulid';
import { RatchetError, messageOf } from '../core/errors.ts';
import { journalFormat, type FolderIdentity, type JournalHeader } from '../core/events.ts';
import { crashPoint } from '../platform/crashPoint.ts';
import { createFolder } from '../platform/durableFiles.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { clearTemporaries } from '../platform/temporaryFiles.ts';
import type { ListedSession, SessionStore } from '../runner/sessionStore.ts';
import { FileSession, storageError, type FileSessionOptions } from './fileSession.ts';
import { publishJournal, takeSideFiles } from './forkFiles.ts';
import { createJournal } from './journalWriter.ts';
import { leaseStatus } from './lease.ts';
import { exists, namesIn } from './listing.ts';
import { SessionPlaces, trashName } from './sessionPlaces.ts';
import { journalName, readSummary } from './sessionSummary.ts';
import { importTrace } from './traceImport.ts';

export interface FileStoreOptions extends FileSessionOptions {
  /** Folder for new sessions of this window; made when needed. */
  readonly root: string;
  /** Roots of other windows on this machine, where sessions of the same folders may be. */
  readonly otherRoots?: () => Promise<readonly string[]>;
  /** The folders that are open in this window. */
  readonly openFolders?: () => readonly FolderIdentity[];
}

const sessionIdPattern = /^[0-9A-Za-z_-]{1,64}$/;
const listedAtOnce = 32;
/** A folder without a journal is what was left of a session that was never made, after this long. */
const unbornAfterMs = 60 * 60 * 1000;

export function createFileSessionStore(options: FileStoreOptions): SessionStore {
  const newId = monotonicFactory();
  const places = new SessionPlaces({
    root: options.root,
    otherRoots: options.otherRoots ?? (() => Promise.resolve([])),
    openFolders: options.openFolders ?? (() => []),
  });
  const find = async (sessionId: string): Promise<string> => {
    const isId = sessionIdPattern.test(sessionId);
    const folder = isId ? await places.find(sessionId, journalName).catch(rethrowStorageError) : undefined;
    if (folder !== undefined) return folder;
    throw new RatchetError('not_found', 'This session does not exist, or its folder was removed.');
  };
  return {
    async list(folderUri) {
      const parents = await places.placesOf(folderUri);
      const names = await Promise.all(
        parents.map(async (parent) => (await namesIn(parent)).map((id) => join(parent, id))),
      );
      for (const [index, parent] of parents.entries()) {
        if (names[index]?.some((name) => name.endsWith('.tmp'))) await clearTemporaries(parent);
      }
      const folders = names.flat().filter((folder) => sessionIdPattern.test(basename(folder)));
      const current = options.openFolders?.().find(({ uri }) => uri === folderUri);
      const sessions: ListedSession[] = [];
      for (let from = 0; from < folders.length; from += listedAtOnce) {
        const batch = folders.slice(from, from + listedAtOnce);
        const rows = await Promise.all(batch.map((folder) => listedSession(folder, folderUri, options)));
        for (const row of rows) if (row) sessions.push(current ? { ...row, folder: current } : row);
      }
      return sessions.sort((a, b) => b.updatedAt - a.updatedAt);
    },
    async create(folder, id = newId()) {
      if (!sessionIdPattern.test(id)) throw new RatchetError('storage', 'This is no name for a session.');
      try {
        const storage = join(await places.ownPlace(folder), id);
        const header = await createStorage(storage, id, folder, options.now());
        return new FileSession(storage, header, folder, options);
      } catch (error) {
        throw storageError(error);
      }
    },
    async fork(from, contentAt) {
      const id = newId();
      const content = contentAt(options.now());
      const storage = join(await places.ownPlace(from.folder), id);
      await createFolder(storage);
      await takeSideFiles(from.storage, storage, content);
      crashPoint('before_fork_named');
      const journal = join(storage, journalName);
      const { folder } = from;
      const { origin } = content;
      const header = await publishJournal(
        journal,
        {
          ratchet: 'journal',
          format: journalFormat,
          sessionId: id,
          folder,
          createdAt: options.now(),
          ...(origin && { origin }),
        },
        content.events,
      );
      return new FileSession(storage, header, from.folder, options);
    },
    async importTrace(folder, file) {
      const { redact, now } = options;
      try {
        const place = await places.ownPlace(folder);
        return await importTrace(file, { place, sessionId: newId(), folder, now: now(), redact });
      } catch (error) {
        throw storageError(error);
      }
    },
    async open(sessionId) {
      return FileSession.open(await find(sessionId), (storage) => places.folderOf(storage), options);
    },
    async moveToTrash(sessionId) {
      const storage = await find(sessionId);
      const place = dirname(storage);
      const trash = join(dirname(place), trashName, basename(place));
      await mkdir(trash, { recursive: true, mode: 0o700 });
      await rename(storage, join(trash, sessionId));
      return join(trash, sessionId);
    },
    async restoreFromTrash(sessionId) {
      const source = sessionIdPattern.test(sessionId) ? await places.findInTrash(sessionId) : undefined;
      if (source === undefined) throw new RatchetError('not_found', 'This session is no longer in the trash.');
      const key = basename(dirname(source));
      await rename(source, join(source, '..', '..', '..', key, sessionId));
    },
    adoptable: (folder) => places.adoptable(folder),
    adopt: (folder, from) => places.adopt(folder, from.places),
  };
}

/** Makes the folder of a new session with its journal; neither when the journal cannot be written. */
async function createStorage(storage: string, id: string, folder: FolderIdentity, now: number): Promise<JournalHeader> {
  await createFolder(storage);
  crashPoint('after_session_folder');
  try {
    const header = await createJournal(join(storage, journalName), id, folder, now);
    crashPoint('after_journal_created');
    return header;
  } catch (error) {
    await rmdir(storage).catch(ignoreSystem);
    throw error;
  }
}

/** Clears away what a process that was killed left of a session that it was making. */
async function clearUnborn(storage: string): Promise<void> {
  await clearTemporaries(storage);
  try {
    // Whoever makes a session now is done long before this; a folder with anything in it is not removed.
    if (Date.now() - (await stat(storage)).mtimeMs > unbornAfterMs) await rmdir(storage);
  } catch (error) {
    ignoreSystem(error);
  }
}

async function listedSession(
  folder: string,
  folderUri: string,
  options: FileStoreOptions,
): Promise<ListedSession | undefined> {
  const id = basename(folder);
  const unreadable = async (problem: string): Promise<ListedSession> => {
    const at = (await stat(folder).catch(ignoreMissing))?.mtimeMs ?? 0;
    const owner = { uri: folderUri, name: '', path: '' };
    return { id, folder: owner, title: '', state: 'created', hasWork: false, createdAt: at, updatedAt: at, problem };
  };
  try {
    const summary = await readSummary(folder);
    if (!summary) return await unreadable(`Its first line cannot be read. The trace is kept in ${folder}.`);
    const alive = summary.state === 'interrupted' && (await leaseStatus(folder, options.ownerId)) !== 'free';
    return alive ? { ...summary, state: 'running' } : summary;
  } catch (error) {
    // Asked only now: a list of a thousand sessions looks at each journal once.
    const code = systemErrorCode(error);
    if ((code === 'ENOENT' || code === 'ENOTDIR') && !(await exists(join(folder, journalName)))) {
      if (code === 'ENOENT') await clearUnborn(folder);
      return undefined;
    }
    options.log(`Session ${id} could not be listed`, error);
    return unreadable(messageOf(error));
  }
}

function rethrowStorageError(error: unknown): never {
  throw storageError(error);
}

function ignoreSystem(error: unknown): void {
  if (systemErrorCode(error) === undefined) throw error;
}

function ignoreMissing(error: unknown): undefined {
  if (systemErrorCode(error) !== 'ENOENT') throw error;
}
