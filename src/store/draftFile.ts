// Drafts and messages on their way, in one small file of each window: there at once, where the editor's own memory is
// written some time later. A window takes over what windows that ended have left of the same folders. Knows no panel.
import { readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ulid } from 'ulid';
import { z } from 'zod';
import { keptDraftsSchema, type KeptDraft, type KeptDrafts, type KeptSend } from '../core/keptDrafts.ts';
import { createFolder, replaceFile } from '../platform/durableFiles.ts';
import { identifyThisProcess, isAlive } from '../platform/processIdentity.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { clearTemporaries } from '../platform/temporaryFiles.ts';
import { namesIn } from './listing.ts';

/** Drafts that are kept; the ones changed least recently are forgotten first. */
const maxDrafts = 30;
const lookEveryMs = 100;
/** How long another window is waited for that may be ending: it has at most five seconds. */
const longestWaitMs = 10_000;

const fileSchema = z.object({
  version: z.literal(1),
  /** Whose it is; null where processes cannot be told apart. */
  owner: z.object({ pid: z.number(), startTime: z.string() }).nullable(),
  /** Addresses of the folders that are open in the window. */
  folders: z.array(z.string()),
  ...keptDraftsSchema.shape,
});
type DraftFile = z.infer<typeof fileSchema>;

export interface DraftFilesOptions {
  /** Folder for the file of this window; made when needed. */
  readonly folder: string;
  /** The same folder of other windows. */
  readonly otherFolders: () => Promise<readonly string[]>;
  readonly openFolders: () => readonly string[];
  /** Takes known secrets out of what is written. */
  readonly redact: <T>(value: T) => T;
  readonly log: (message: string, error?: unknown) => void;
}

export class DraftFiles {
  readonly #options: DraftFilesOptions;
  readonly #file: string;
  readonly #drafts = new Map<string, KeptDraft>();
  readonly #sends = new Map<string, KeptSend>();
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(options: DraftFilesOptions) {
    this.#options = options;
    this.#file = join(options.folder, `${ulid()}.json`);
  }

  /** Everything that is kept, with what windows that ended have left. What cannot be read is left where it is. */
  async kept(): Promise<KeptDrafts> {
    await this.#takeOver();
    return { drafts: [...this.#drafts.values()], sends: [...this.#sends.values()] };
  }

  /** On the disk soon. Images that are left out are as they were. */
  keepDraft(draft: KeptDraft): void {
    const { images = this.#drafts.get(draft.key)?.images, ...rest } = draft;
    this.#putDraft({ ...rest, ...(images && images.length > 0 && { images }) });
    this.#saveInBackground();
  }

  /** Resolves when it is on the disk. @throws the error of the file system */
  async keepSend(send: KeptSend): Promise<void> {
    this.#sends.set(send.id, send);
    await this.#save();
  }

  dropSend(id: string): void {
    if (this.#sends.delete(id)) this.#saveInBackground();
  }

  /** Resolves when no other living window has this message on its way. */
  async settledElsewhere(id: string): Promise<void> {
    for (let waited = 0; waited < longestWaitMs; waited += lookEveryMs) {
      const others = await this.#others();
      const isHeld = others.some(({ isLeft, content }) => !isLeft && content.sends.some((send) => send.id === id));
      if (!isHeld) return;
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  }

  async #takeOver(): Promise<void> {
    try {
      const left = (await this.#others()).filter(({ isLeft }) => isLeft);
      if (left.length === 0) return;
      for (const { content } of left) {
        for (const draft of content.drafts) this.#putDraft(draft);
        for (const send of content.sends) this.#sends.set(send.id, send);
      }
      await this.#save();
      for (const { file } of left) await rm(file, { force: true });
      await clearTemporaries(this.#options.folder);
    } catch (error) {
      this.#options.log('Drafts of windows that ended could not be taken over', error);
    }
  }

  /** Of two copies the newer one counts. A draft that was cleared is kept as that: it may be newer than another copy. */
  #putDraft(draft: KeptDraft): void {
    const known = this.#drafts.get(draft.key);
    if (known && known.at > draft.at) return;
    this.#drafts.delete(draft.key);
    this.#drafts.set(draft.key, draft);
    for (const key of this.#drafts.keys()) if (this.#drafts.size > maxDrafts) this.#drafts.delete(key);
  }

  /** Files of other windows with the same folders. */
  async #others(): Promise<
    readonly { readonly file: string; readonly content: DraftFile; readonly isLeft: boolean }[]
  > {
    const { folder, otherFolders, openFolders } = this.#options;
    const own = openFolders().toSorted().join('\n');
    const found = [];
    for (const each of [folder, ...(await otherFolders())]) {
      for (const name of await namesIn(each)) {
        const file = join(each, name);
        if (!name.endsWith('.json') || name === basename(this.#file)) continue;
        const content = await readDraftFile(file);
        if (content?.folders.toSorted().join('\n') !== own) continue;
        found.push({ file, content, isLeft: content.owner === null || !(await isAlive(content.owner)) });
      }
    }
    return found;
  }

  #saveInBackground(): void {
    this.#save().catch((error: unknown) => {
      this.#options.log('Drafts could not be kept', error);
    });
  }

  /** One write after the other; of changes that come during a write the next one has all. */
  #save(): Promise<void> {
    this.#next ??= this.#writing
      .catch(() => undefined)
      .then(() => {
        this.#next = undefined;
        return this.#write();
      });
    this.#writing = this.#next;
    return this.#next;
  }

  async #write(): Promise<void> {
    const { folder, openFolders, redact } = this.#options;
    const owner = (await identifyThisProcess()) ?? null;
    const kept = redact({ drafts: [...this.#drafts.values()], sends: [...this.#sends.values()] });
    const write = (): Promise<void> =>
      replaceFile(this.#file, JSON.stringify({ version: 1, owner, folders: openFolders(), ...kept }));
    try {
      await write();
    } catch (error) {
      if (systemErrorCode(error) !== 'ENOENT') throw error;
      await createFolder(folder);
      await write();
    }
  }
}

/** Undefined when it is none, or not there any more. @throws the error of the file system */
async function readDraftFile(file: string): Promise<DraftFile | undefined> {
  try {
    const parsed = fileSchema.safeParse(JSON.parse(await readFile(file, 'utf8')));
    return parsed.success ? parsed.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError || systemErrorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
