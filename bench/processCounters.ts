// What the kernel has counted for this process; Linux only.
import { readFileSync } from 'node:fs';

export interface ProcessCounters {
  /** Bytes that it asked to read. */
  readonly readBytes: number;
  /** Bytes that it asked to write, by whatever descriptor. */
  readonly writtenBytes: number;
  /** Most memory that it ever had, in bytes. */
  readonly peakMemory: number;
}

export function processCounters(): ProcessCounters {
  return {
    readBytes: field('/proc/self/io', 'rchar'),
    writtenBytes: field('/proc/self/io', 'wchar'),
    peakMemory: field('/proc/self/status', 'VmHWM') * 1024,
  };
}

function field(file: string, name: string): number {
  const value = new RegExp(`^${name}:\\s*(\\d+)`, 'm').exec(readFileSync(file, 'utf8'))?.[1];
  if (value === undefined) throw new Error(`The kernel does not count ${name} here.`);
  return Number(value);
}
