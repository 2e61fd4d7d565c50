// Finds paths by a few letters of them: names before folders, beginnings before middles, short before long. Fast enough
// for 100,000 paths at each key. Pure.

export interface IndexedPath {
  readonly path: string;
  readonly isFolder: boolean;
  /** For the search: in lower case, and where its last part begins. */
  readonly lower: string;
  readonly nameAt: number;
}

/** The files and all the folders that they are in, prepared for the search. */
export function indexPaths(files: readonly string[]): readonly IndexedPath[] {
  const folders = new Set<string>();
  for (const file of files) {
    for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) {
      const folder = file.slice(0, at);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return [...[...folders].map((path) => entry(path, true)), ...files.map((path) => entry(path, false))];
}

function entry(path: string, isFolder: boolean): IndexedPath {
  return { path, isFolder, lower: path.toLowerCase(), nameAt: path.lastIndexOf('/') + 1 };
}

/**
 * The best paths for what was typed, best first.
 * @param first paths that come before others of the same fit, such as those of open editors
 */
export function findPaths(
  query: string,
  paths: readonly IndexedPath[],
  limit: number,
  first: ReadonlySet<string> = new Set(),
): readonly IndexedPath[] {
  const wanted = query.toLowerCase();
  const best: { readonly entry: IndexedPath; readonly score: number }[] = [];
  for (const candidate of paths) {
    const fit = fitOf(wanted, candidate);
    if (fit === undefined) continue;
    const score = fit + (first.has(candidate.path) ? 60 : 0);
    const worst = best.at(-1);
    if (best.length >= limit && worst && !isBefore(score, candidate, worst.score, worst.entry)) continue;
    const at = best.findIndex((other) => isBefore(score, candidate, other.score, other.entry));
    best.splice(at < 0 ? best.length : at, 0, { entry: candidate, score });
    if (best.length > limit) best.pop();
  }
  return best.map((each) => each.entry);
}

function isBefore(score: number, path: IndexedPath, otherScore: number, other: IndexedPath): boolean {
  if (score !== otherScore) return score > otherScore;
  if (path.path.length !== other.path.length) return path.path.length < other.path.length;
  return path.path < other.path;
}

/** How well a path fits; undefined when it does not. Nothing typed fits what lies at the top best. */
function fitOf(wanted: string, { lower, nameAt, isFolder }: IndexedPath): number | undefined {
  if (wanted === '') return depthOf(lower) * -100 + (isFolder ? 0 : 1);
  const inName = lower.indexOf(wanted, nameAt);
  if (inName === nameAt) return lower.length - nameAt === wanted.length ? 1_000 : 900;
  if (inName > nameAt) return isWordStart(lower, inName) ? 800 : 700;
  const inPath = lower.indexOf(wanted);
  if (inPath >= 0) return inPath === 0 || isWordStart(lower, inPath) ? 650 : 600;
  const nameGaps = gaps(wanted, lower, nameAt);
  if (nameGaps !== undefined) return 500 - Math.min(nameGaps, 99);
  const pathGaps = gaps(wanted, lower, 0);
  return pathGaps === undefined ? undefined : 300 - Math.min(pathGaps, 199);
}

/** Letters passed over between the first and the last one that is wanted; undefined when they are not there in order. */
function gaps(wanted: string, text: string, from: number): number | undefined {
  let at = from - 1;
  let start = -1;
  for (const letter of wanted) {
    at = text.indexOf(letter, at + 1);
    if (at < 0) return undefined;
    if (start < 0) start = at;
  }
  return at - start + 1 - wanted.length;
}

function isWordStart(text: string, at: number): boolean {
  return /[/._\- ]/.test(text[at - 1] ?? '/');
}

function depthOf(path: string): number {
  let depth = 0;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) depth++;
  return depth;
}
