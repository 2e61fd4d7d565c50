// Finds paths by a few letters of them: names before folders, beginnings before middles, short before long. Pure, and in
// pieces: whoever has 100,000 paths can let others have their turn in between.

export interface IndexedPath {
  readonly path: string;
  readonly isFolder: boolean;
  /** For the search: in lower case, where its last part begins, and how many folders it lies in. */
  readonly lower: string;
  readonly nameAt: number;
  readonly depth: number;
}

/**
 * The files and the folders that they are in, prepared for the search.
 * @param known folders that have their entry already; those of these files are added to it
 */
export function indexPaths(files: readonly string[], known = new Set<string>()): readonly IndexedPath[] {
  const index: IndexedPath[] = [];
  for (const file of files) {
    for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) {
      const folder = file.slice(0, at);
      if (known.has(folder)) break;
      known.add(folder);
      index.push(entry(folder, true));
    }
    index.push(entry(file, false));
  }
  return index;
}

function entry(path: string, isFolder: boolean): IndexedPath {
  let depth = 0;
  for (let at = path.indexOf('/'); at >= 0; at = path.indexOf('/', at + 1)) depth++;
  return { path, isFolder, lower: path.toLowerCase(), nameAt: path.lastIndexOf('/') + 1, depth };
}

/** A search that is fed piece by piece. */
export interface PathSearch {
  add(paths: readonly IndexedPath[]): void;
  /** The best ones of all that were added, best first. */
  best(): readonly IndexedPath[];
}

/** @param first paths that come before others that fit alike, such as those of open editors */
export function createPathSearch(query: string, limit: number, first: ReadonlySet<string> = new Set()): PathSearch {
  const wanted = query.toLowerCase();
  const found: { readonly entry: IndexedPath; readonly score: number }[] = [];
  const put = (candidate: IndexedPath, score: number): void => {
    let low = 0;
    for (let high = found.length; low < high;) {
      const middle = (low + high) >>> 1;
      const other = found[middle];
      if (other && !isBefore(score, candidate, other.score, other.entry)) low = middle + 1;
      else high = middle;
    }
    if (low >= limit) return;
    found.splice(low, 0, { entry: candidate, score });
    if (found.length > limit) found.pop();
  };
  return {
    add(paths) {
      for (const candidate of paths) {
        const fit = wanted === '' ? fitOfNothing(candidate) : fitOf(wanted, candidate);
        if (fit === undefined) continue;
        const score = first.size > 0 && first.has(candidate.path) ? fit + 60 : fit;
        const worst = found.at(-1);
        if (found.length < limit || !worst || isBefore(score, candidate, worst.score, worst.entry))
          put(candidate, score);
      }
    },
    best: () => found.map((each) => each.entry),
  };
}

function isBefore(score: number, path: IndexedPath, otherScore: number, other: IndexedPath): boolean {
  if (score !== otherScore) return score > otherScore;
  if (path.path.length !== other.path.length) return path.path.length < other.path.length;
  return path.path < other.path;
}

/** Nothing typed: what lies at the top comes first. */
function fitOfNothing({ depth, isFolder }: IndexedPath): number {
  return depth * -100 + (isFolder ? 0 : 1);
}

/** How well a path fits; undefined when it does not. */
function fitOf(wanted: string, { lower, nameAt }: IndexedPath): number | undefined {
  const inPath = lower.indexOf(wanted);
  if (inPath >= 0) {
    const inName = inPath >= nameAt ? inPath : lower.indexOf(wanted, nameAt);
    if (inName === nameAt) return lower.length - nameAt === wanted.length ? 1_000 : 900;
    if (inName > nameAt) return isWordStart(lower, inName) ? 800 : 700;
    return isWordStart(lower, inPath) ? 650 : 600;
  }
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
  const before = text[at - 1];
  return before === undefined || before === '/' || before === '.' || before === '_' || before === '-' || before === ' ';
}
