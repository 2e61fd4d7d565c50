// Who owns a session: at most one living process, across windows. A generation is a file that can be made only once,
// so two claimants cannot both win, and an owner that was passed over sees the next generation before it writes.
import { existsSync } from 'node:fs';
import { readdir, truncate, unlink, utimes } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { RatchetError } from '../core/errors.ts';
import { quickParser } from '../core/quickCheck.ts';
import { crashPoint } from '../platform/crashPoint.ts';
import { publishOnce, readIfThere, replaceFile } from '../platform/durableFiles.ts';
import { isDiskRefusal, systemErrorCode } from '../platform/systemError.ts';
import { identifyThisProcess, isAlive } from '../platform/processIdentity.ts';
import type { UserStop } from '../runner/runStopped.ts';
import { hasStopped, heartbeatMs, lastBeat, type Times } from './heartbeat.ts';
import { clearStopRequests, StopWatch } from './stopRequest.ts';
import { parsedJson } from '../core/parsedJson.ts';

const recordSchema = z.object({
  /** One per window: two windows may share a process. */
  ownerId: z.string(),
  host: z.string(),
  pid: z.number(),
  startTime: z.string(),
  generation: z.number(),
  released: z.boolean(),
});
type LeaseRecord = z.infer<typeof recordSchema>;
const recordOf = quickParser(recordSchema);

/** Files of the leases that this process has now. A record of this process without one is a release that could not be written. */
const living = new Set<string>();

export type LeaseStatus = 'free' | 'mine' | 'held';

/** A lease that this process has. */
export class Lease {
  readonly #record: LeaseRecord;
  readonly #folder: string;
  readonly #file: string;
  readonly #next: string;
  readonly #heartbeat: NodeJS.Timeout;
  #stopWatch: StopWatch | undefined;

  private constructor(folder: string, record: LeaseRecord) {
    this.#record = record;
    this.#next = join(folder, fileName(record.generation + 1));
    const file = join(folder, fileName(record.generation));
    this.#folder = folder;
    this.#file = file;
    this.#heartbeat = setInterval(() => {
      const now = new Date();
      // A heart that cannot beat (the folder is gone, the disk is read-only) is noticed by the next append.
      utimes(file, now, now).catch(() => undefined);
    }, heartbeatMs);
    this.#heartbeat.unref();
  }

  /**
   * Takes the lease of a session folder, or returns undefined when a living owner has it.
   * @throws the error of the file system
   */
  static async acquire(folder: string, ownerId: string): Promise<Lease | undefined> {
    for (;;) {
      const [current, self] = await Promise.all([readCurrent(folder), identifyThisProcess()]);
      if (current && (await statusOf(folder, current, undefined)) === 'held') return undefined;
      const generation = (current?.generation ?? 0) + 1;
      const record: LeaseRecord = {
        ownerId,
        host: hostname(),
        pid: process.pid,
        startTime: self?.startTime ?? '',
        generation,
        released: false,
      };
      const file = join(folder, fileName(generation));
      // Before it can be seen: another claim of this process must not take it for one that was given up.
      living.add(file);
      crashPoint('before_lease_taken');
      try {
        if (!(await publishOnce(file, JSON.stringify(record)))) continue;
        crashPoint('after_lease_taken');
        if (!(await clearOlder(folder, generation))) {
          // Others came and went since the look at the folder: this number had been free only because they cleared it away.
          living.delete(file);
          await unlink(file).catch(ignoreMissing);
          continue;
        }
        crashPoint('after_older_leases_removed');
      } catch (error) {
        living.delete(file);
        throw error;
      }
      return new Lease(folder, record);
    }
  }

  /** @throws RatchetError `already_running` when another process has taken the session over, `not_found` when it is gone */
  assertOwner(): void {
    if (!existsSync(this.#folder)) {
      throw new RatchetError(
        'not_found',
        'The trace of this session was deleted while it ran. Nothing more is recorded; your files are as they are.',
      );
    }
    // Whoever takes over removes what is older than its own generation, which may be more than one ahead.
    if (existsSync(this.#next) || !existsSync(this.#file)) {
      throw new RatchetError(
        'already_running',
        'Another window has taken this session over. Nothing more is written from here.',
      );
    }
  }

  /** From now on a wish of another window that the run end is taken and told, until the release. */
  onStopAsked(listener: (kind: UserStop) => void): void {
    this.#stopWatch?.dispose();
    this.#stopWatch = new StopWatch(this.#folder, this.#record.generation, listener);
  }

  /** Gives the session free. Safe to call when it was taken over. */
  async release(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#stopWatch?.dispose();
    if (!living.delete(this.#file) || !existsSync(this.#file)) return;
    crashPoint('before_lease_released');
    try {
      await replaceFile(this.#file, JSON.stringify({ ...this.#record, released: true }));
    } catch (error) {
      // A disk that is full takes nothing new, but lets go: a record that cannot be read is nobody's.
      if (!isDiskRefusal(error)) throw error;
      await truncate(this.#file, 0);
    }
    crashPoint('after_lease_released');
    // Its run is over, whoever wished it. What stays is cleared by the next owner.
    await clearStopRequests(this.#folder, this.#record.generation).catch(ignoreRefusal);
  }
}

/** The owner of a session folder that lives, seen from the window `ownerId` that is not it; undefined when there is none. */
export async function ownerElsewhere(
  folder: string,
  ownerId: string,
): Promise<{ readonly generation: number; readonly silentMs: number } | undefined> {
  const current = await readCurrent(folder);
  if (!current || (await statusOf(folder, current, ownerId)) !== 'held') return undefined;
  const { generation } = current;
  const beat = await lastBeat(join(folder, fileName(generation)));
  return { generation, silentMs: Math.max(0, Date.now() - beat) };
}

/** Who has the lease of a session folder, seen from the window `ownerId`. */
export async function leaseStatus(folder: string, ownerId: string, times?: Times): Promise<LeaseStatus> {
  const current = await readCurrent(folder);
  return current ? statusOf(folder, current, ownerId, times) : 'free';
}

async function statusOf(
  folder: string,
  record: LeaseRecord,
  ownerId: string | undefined,
  times?: Times,
): Promise<LeaseStatus> {
  if (record.released) return 'free';
  const file = join(folder, fileName(record.generation));
  if (record.host === hostname() && record.pid === process.pid && !living.has(file)) return 'free';
  if (record.ownerId === ownerId) return 'mine';
  if (record.host === hostname()) {
    return (await isAlive({ pid: record.pid, startTime: record.startTime })) ? 'held' : 'free';
  }
  return (await hasStopped(file, times)) ? 'free' : 'held';
}

/** The newest generation. One that cannot be read counts as a dead owner's: its maker died while it was made. */
async function readCurrent(folder: string): Promise<LeaseRecord | undefined> {
  const generations = await listGenerations(folder);
  const generation = generations.at(-1);
  if (generation === undefined) return undefined;
  const text = await readIfThere(join(folder, fileName(generation)));
  const dead = { ownerId: '', host: '', pid: 0, startTime: '', generation, released: true };
  return recordOf(parsedJson(text ?? '')) ?? dead;
}

async function listGenerations(folder: string): Promise<number[]> {
  const names = await readdir(folder);
  return names
    .map((name) => /^lease-(\d+)\.json$/.exec(name)?.[1])
    .filter((digits) => digits !== undefined)
    .map(Number)
    .sort((a, b) => a - b);
}

/** Clears away what is older than this generation; false, and nothing is cleared, when there is a newer one. */
async function clearOlder(folder: string, generation: number): Promise<boolean> {
  const generations = await listGenerations(folder);
  if (generations.some((each) => each > generation)) return false;
  for (const older of generations) {
    if (older < generation) await unlink(join(folder, fileName(older))).catch(ignoreMissing);
  }
  await clearStopRequests(folder, generation - 1);
  return true;
}

function ignoreMissing(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
}

function ignoreRefusal(error: unknown): void {
  if (systemErrorCode(error) === undefined) throw error;
}

function fileName(generation: number): string {
  return `lease-${String(generation)}.json`;
}
