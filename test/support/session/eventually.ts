// Waits for what tells nobody that it happened: a file that grows, a process that ends. The test's own time limit ends it.
import { setTimeout as pause } from 'node:timers/promises';

const lookEveryMs = 50;

/** Looks again and again until it is so. */
export async function eventually(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await pause(lookEveryMs);
}
