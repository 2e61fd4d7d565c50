// When an owner that cannot be asked (it is on another machine, or this one has another name by now) counts as dead: when
// its heart has not beaten for long. A beat is a new time on its lease file. How long is decided here and nowhere else.
import { open } from 'node:fs/promises';

/** An owner's heart beats this often, in milliseconds. */
export const heartbeatMs = 3_000;
/** Watched for this long without a beat, it is dead: three beats that did not come. */
export const silenceMs = 10_000;
/** A beat this old is enough by itself, for whoever looks for the first time; clocks of two machines differ by less. */
export const longAgoMs = 60_000;

/** Between two looks that are further apart nobody watched: the machine may have slept, and the owner with it. */
const longestGapMs = 5_000;

interface Watched {
  readonly beat: number;
  /** When this beat was first seen here, and when it was looked at last, by a clock that nobody sets. */
  readonly since: number;
  readonly lookedAt: number;
}

/** The latest beat that this process knows of, by file. */
const seen = new Map<string, Watched>();
/** Files of sessions that are gone are forgotten with all others. */
const seenAtMost = 10_000;

/** What time it is: as people have it, and by a clock that nobody sets. In milliseconds. */
export interface Times {
  readonly now: () => number;
  readonly steady: () => number;
}

const systemTimes: Times = { now: Date.now, steady: () => performance.now() };

/**
 * Whether the owner behind a lease file is dead by its heart. The first look at a recent beat says no; a later one, by
 * what was seen in between.
 * @throws the error of the file system
 */
export async function hasStopped(file: string, { now, steady }: Times = systemTimes): Promise<boolean> {
  const beat = await lastBeat(file);
  const at = steady();
  const before = seen.get(file);
  const isWatched = before?.beat === beat && at - before.lookedAt <= longestGapMs;
  const since = isWatched ? before.since : at;
  if (!before && seen.size >= seenAtMost) seen.clear();
  seen.set(file, { beat, since, lookedAt: at });
  return at - since >= silenceMs || now() - beat >= longAgoMs;
}

/** When an owner's heart beat last, in milliseconds since 1970. Opens the file for it: what a network file system tells of a closed one may be a minute old. */
export async function lastBeat(file: string): Promise<number> {
  const handle = await open(file, 'r');
  try {
    return (await handle.stat()).mtimeMs;
  } finally {
    await handle.close();
  }
}
