// Keeps the machine busy, so that what takes milliseconds takes tenths of a second.
import { spawn } from 'node:child_process';
import process from 'node:process';

/** Starts so many processes that do nothing but compute; the returned function ends them. */
export function keepBusy(count: number): () => void {
  const children = Array.from({ length: count }, () =>
    // Ends by itself when whoever started it is gone.
    spawn(
      process.execPath,
      [
        '-e',
        'process.stdin.on("end",()=>process.exit()).resume();(function f(){const t=Date.now();while(Date.now()-t<50);setImmediate(f)})()',
      ],
      {
        stdio: ['pipe', 'ignore', 'ignore'],
      },
    ),
  );
  return () => {
    for (const child of children) child.kill('SIGKILL');
  };
}
