// The paths of a folder, ready to be searched at each key: listed once, and again when they have aged. A list that is old
// is given at once while a new one is made. Must never know what is searched for.
import { setImmediate } from 'node:timers/promises';
import { indexPaths, type IndexedPath } from '../core/fuzzyPaths.ts';
import { listNames } from './workspaceListing.ts';

/** Milliseconds after which a list is made anew. */
const freshMs = 3_000;
/** Paths that are prepared in one turn of the event loop: some ten milliseconds' worth. */
const pathsInTurn = 10_000;

interface Listing {
  readonly at: number;
  readonly paths: Promise<readonly IndexedPath[]>;
  /** What there was before, until `paths` is there. */
  readonly older?: readonly IndexedPath[];
}

/** @param now milliseconds since 1970 */
export function createPathIndex(
  now: () => number,
  list: (folder: string) => Promise<readonly string[]> = listNames,
): (folder: string) => Promise<readonly IndexedPath[]> {
  const listings = new Map<string, Listing>();
  const begin = (folder: string, older: readonly IndexedPath[] | undefined): Listing => {
    const paths = list(folder).then(indexed);
    const listing: Listing = { at: now(), paths, ...(older && { older }) };
    listings.set(folder, listing);
    paths.then(
      (made) => {
        if (listings.get(folder) === listing) listings.set(folder, { at: now(), paths, older: made });
      },
      // Whoever waits for it is told; the next look tries again.
      () => {
        if (listings.get(folder) === listing) listings.delete(folder);
      },
    );
    return listing;
  };
  return async (folder) => {
    const known = listings.get(folder);
    if (known && now() - known.at < freshMs) return known.older ?? known.paths;
    const begun = begin(folder, known?.older);
    return begun.older ?? begun.paths;
  };
}

async function indexed(files: readonly string[]): Promise<readonly IndexedPath[]> {
  const index: IndexedPath[] = [];
  const folders = new Set<string>();
  for (let from = 0; from < files.length; from += pathsInTurn) {
    if (from > 0) await setImmediate();
    for (const each of indexPaths(files.slice(from, from + pathsInTurn), folders)) index.push(each);
  }
  return index;
}
