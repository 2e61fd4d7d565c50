// The lines of a kept scan: a head, the files folder by folder, their number; then a line for each later scan, with what
// is other than in the one before it. Knows the text only, not where it is.
import { z } from 'zod';
import { pathIn, type FolderScan, type ScannedFolder } from './folderScan.ts';
import { eachDifference } from './scanDifferences.ts';

/** Names in a line at most. */
const namesInLine = 2000;
/** More differences than this, and than a quarter of the files, are kept as a scan of its own. */
const fewDifferences = 1000;

const headSchema = z.object({ scan: z.literal(1), key: z.string(), at: z.number(), complete: z.boolean() });
/** A folder's path, names of files in it, and their marks in base64. */
const folderSchema = z.tuple([z.string(), z.array(z.string()), z.base64()]);
const endSchema = z.object({ files: z.number() });
const laterSchema = z.object({
  key: z.string(),
  at: z.number(),
  complete: z.boolean(),
  /** Path, content mark, rest mark. */
  put: z.array(z.tuple([z.string(), z.number(), z.number()])),
  gone: z.array(z.string()),
});
type LaterScan = z.infer<typeof laterSchema>;

/** A whole scan, in lines of some ten kilobytes each. */
export function* scanLines(key: string, { at, complete, folders, fileCount }: FolderScan): Generator<string> {
  yield line({ scan: 1, key, at, complete } satisfies z.infer<typeof headSchema>);
  for (const { path, names, contentMarks, restMarks } of folders.values()) {
    for (let from = 0; from < names.length; from += namesInLine) {
      const to = from + namesInLine;
      const marks = Buffer.concat([bytesOf(contentMarks.subarray(from, to)), bytesOf(restMarks.subarray(from, to))]);
      yield line([path, names.slice(from, to), marks.toString('base64')]);
    }
  }
  yield line({ files: fileCount } satisfies z.infer<typeof endSchema>);
}

/** The line of a scan that comes after another one; undefined when too much is other. */
export async function laterScanLine(key: string, last: FolderScan, scan: FolderScan): Promise<string | undefined> {
  const { at, complete, fileCount } = scan;
  const most = Math.max(fewDifferences, fileCount / 4);
  const put: LaterScan['put'] = [];
  const gone: string[] = [];
  await eachDifference(last, scan, Infinity, (old, now) => {
    if (put.length + gone.length > most) return;
    if (!now) {
      if (old) gone.push(pathIn(old.folder, old.index));
      return;
    }
    const [content = 0, rest = 0] = [now.folder.contentMarks[now.index], now.folder.restMarks[now.index]];
    // Where nothing but the change time is other, nothing of it is kept.
    if (old?.folder.contentMarks[old.index] === content && old.folder.restMarks[old.index] === rest) return;
    put.push([pathIn(now.folder, now.index), content, rest]);
  });
  return put.length + gone.length > most ? undefined : line({ key, at, complete, put, gone } satisfies LaterScan);
}

/** Reads lines one by one, for the scan with a key. */
export class ScanReader {
  readonly #key: string;
  readonly #folders = new Map<string, ScannedFolder[]>();
  #head: z.infer<typeof headSchema> | undefined;
  #isWhole = false;
  readonly #later: LaterScan[] = [];

  constructor(key: string) {
    this.#key = key;
  }

  /** @throws SyntaxError or ZodError when it is no such line */
  read(text: string): void {
    const value: unknown = JSON.parse(text);
    if (!this.#head) this.#head = headSchema.parse(value);
    else if (this.#isWhole) this.#later.push(laterSchema.parse(value));
    else if (Array.isArray(value)) this.#readFolder(folderSchema.parse(value));
    else {
      const { files } = endSchema.parse(value);
      const count = [...this.#folders.values()].flat().reduce((sum, { names }) => sum + names.length, 0);
      if (count !== files) throw new SyntaxError('The kept scan lacks files.');
      this.#isWhole = true;
    }
  }

  /** The last scan with the key among the lines that were read. */
  result(): FolderScan | undefined {
    if (!this.#head || !this.#isWhole) return undefined;
    const last = this.#later.findLastIndex(({ key }) => key === this.#key);
    const found = last === -1 ? this.#head : this.#later[last];
    if (found?.key !== this.#key) return undefined;
    const changes = new Map<string, Map<string, readonly [content: number, rest: number] | undefined>>();
    const change = (path: string, marks: readonly [content: number, rest: number] | undefined): void => {
      const slash = path.lastIndexOf('/');
      const folder = slash === -1 ? '' : path.slice(0, slash);
      const ofFolder = changes.get(folder) ?? new Map<string, readonly [number, number] | undefined>();
      changes.set(folder, ofFolder.set(path.slice(slash + 1), marks));
    };
    for (const { put, gone } of this.#later.slice(0, last + 1)) {
      for (const path of gone) change(path, undefined);
      for (const [path, content, rest] of put) change(path, [content, rest]);
    }
    const folders = new Map<string, ScannedFolder>();
    for (const path of new Set([...this.#folders.keys(), ...changes.keys()])) {
      const parts = this.#folders.get(path) ?? [];
      const changed = changes.get(path);
      const [only] = parts;
      folders.set(path, only && parts.length === 1 && !changed ? only : joined(path, parts, changed));
    }
    const fileCount = [...folders.values()].reduce((sum, { names }) => sum + names.length, 0);
    return { at: found.at, complete: found.complete, folders, fileCount };
  }

  #readFolder([path, names, marks]: z.infer<typeof folderSchema>): void {
    const bytes = Buffer.from(marks, 'base64');
    if (bytes.length !== names.length * 8) throw new SyntaxError('The kept scan lacks marks.');
    // A copy of its own begins where numbers of four bytes may begin.
    const numbers = new Uint32Array(new Uint8Array(bytes).buffer);
    const folder = keptFolder(path, names, numbers.subarray(0, names.length), numbers.subarray(names.length));
    const parts = this.#folders.get(path);
    if (parts) parts.push(folder);
    else this.#folders.set(path, [folder]);
  }
}

function joined(
  path: string,
  parts: readonly ScannedFolder[],
  changed: ReadonlyMap<string, readonly [content: number, rest: number] | undefined> | undefined,
): ScannedFolder {
  const files = new Map<string, readonly [number, number]>();
  for (const { names, contentMarks, restMarks } of parts)
    for (const [index, name] of names.entries()) files.set(name, [contentMarks[index] ?? 0, restMarks[index] ?? 0]);
  for (const [name, marks] of changed ?? []) {
    if (marks) files.set(name, marks);
    else files.delete(name);
  }
  const marks = [...files.values()];
  const contents = Uint32Array.from(marks, ([content]) => content);
  return keptFolder(
    path,
    [...files.keys()],
    contents,
    Uint32Array.from(marks, ([, rest]) => rest),
  );
}

function keptFolder(
  path: string,
  names: readonly string[],
  contentMarks: Uint32Array,
  restMarks: Uint32Array,
): ScannedFolder {
  return { path, names, contentMarks, restMarks, ctimes: new Float64Array(), folders: [], sound: false };
}

function bytesOf(numbers: Uint32Array): Uint8Array {
  return new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength);
}

function line(value: unknown): string {
  return `${JSON.stringify(value)}\n`;
}
