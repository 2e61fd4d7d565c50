// Whether others use the machine just now, from what the kernel counts of its cores.
import { cpus } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

const quietShare = 0.15;

/** The share of all cores that is busy, from 0 to 1, over a while in which this process does nothing. */
export async function busyShare(lookMs = 2_000): Promise<number> {
  const before = countedTimes();
  await delay(lookMs);
  const after = countedTimes();
  return 1 - (after.idle - before.idle) / (after.total - before.total);
}

/** Waits until others leave the machine alone, but not for ever. Gives the share that is busy then. */
export async function quietMachine(longestMs: number, lookMs?: number): Promise<number> {
  const until = performance.now() + longestMs;
  for (;;) {
    const share = await busyShare(lookMs);
    if (share <= quietShare || performance.now() > until) return share;
  }
}

function countedTimes(): { readonly idle: number; readonly total: number } {
  let [idle, total] = [0, 0];
  for (const { times } of cpus()) {
    idle += times.idle;
    total += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { idle, total };
}
