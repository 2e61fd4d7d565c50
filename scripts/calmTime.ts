// A clock for time limits of scripts and tests: it counts calm time, in which nothing on this machine waited for a
// processor. On a machine that others keep busy, work is given the time that it would have had; what hangs on an idle one
// is ended soon. Says nothing about how long something took.
import { readFileSync } from 'node:fs';
import os from 'node:os';
import process from 'node:process';

const sampleMs = 250;
/** Of a time in which everybody waited this much still counts: what hangs has to end at some time. */
const leastShare = 1 / 8;
const pressureFile = '/proc/pressure/cpu';

let calmMs = 0;
let lastAt = performance.now();

/** How much of the last seconds some process waited for a processor, from 0 to 1. */
function crowdedShare(): number {
  try {
    const percent = /^some avg10=([\d.]+)/m.exec(readFileSync(pressureFile, 'utf8'))?.[1];
    if (percent !== undefined) return Number(percent) / 100;
  } catch {
    // Not Linux, or a kernel without it: how many more want to run than can has to do.
  }
  const [load = 0] = process.platform === 'win32' ? [] : os.loadavg();
  return load <= os.availableParallelism() ? 0 : 1 - os.availableParallelism() / load;
}

function calmShare(): number {
  return Math.max(leastShare, 1 - crowdedShare());
}

function sample(): void {
  const now = performance.now();
  // Longer than the pause between two looks: this process stood still, and so did its test.
  const passed = Math.min(now - lastAt, 4 * sampleMs);
  calmMs += passed * calmShare();
  lastAt = now;
}

/** Milliseconds of calm time since this module was loaded. */
export function calmTime(): number {
  sample();
  return calmMs;
}

/** Calls back once when this much calm time has passed; returns what takes it back. */
export function afterCalm(ms: number, onOver: () => void): () => void {
  const end = calmTime() + ms;
  let timer: NodeJS.Timeout;
  const wait = (): void => {
    const left = end - calmTime();
    if (left <= 0) onOver();
    else timer = setTimeout(wait, Math.max(left, sampleMs));
  };
  timer = setTimeout(wait, ms);
  return () => {
    clearTimeout(timer);
  };
}

setInterval(sample, sampleMs).unref();

/** A limit of so many milliseconds of calm time as milliseconds of the clock, on a machine that stays as busy as it is now. */
export function stretched(ms: number): number {
  return Math.ceil(ms / calmShare());
}
