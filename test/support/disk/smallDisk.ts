// A file system of its own, a megabyte or two in memory: for what only a disk that is really full, or read-only, can show.
// It is mounted in the mount namespace of a process that ends with this one, even when this one is killed: nothing stays
// mounted. Linux only, as root or where user namespaces are allowed.
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** Mounts, says so, then mounts anew as it is told; its end is the end of its namespace. */
const holder = `
mount -t tmpfs -o "size=$1k,nr_inodes=$2,mode=0755" ratchet-small-disk /mnt && echo mounted || exit 1
while read -r mode; do
  mount -o "remount,bind,$mode" /mnt && echo "$mode" || echo busy
done
`;

export interface SmallDisk {
  /** Its top folder, as every process of this user can name it; resolving links in it leads astray. */
  readonly path: string;
  /** The same inside of its namespace, where it is an ordinary path. */
  readonly innerPath: string;
  /** What to put before a command line that is to run there. */
  readonly enter: readonly string[];
  /** Takes all space that is left, to the last page. */
  fill(): void;
  /** The same, but for so many pages of 4 KiB. */
  fillBut(pages: number): void;
  /** Gives the space free again. */
  free(): void;
  /** @throws when a file on it is open for writing */
  makeReadOnly(): Promise<void>;
  makeWritable(): Promise<void>;
  dispose(): Promise<void>;
}

/** A new disk of this size and for so many files (0: any number), or why there can be none on this machine. */
export async function openSmallDisk(kib: number, files = 0): Promise<SmallDisk | string> {
  if (process.platform !== 'linux') return 'only Linux mounts a file system for one process';
  const reasons: string[] = [];
  for (const flags of ['-m', '-Urm']) {
    const mounted = await mount(flags, kib, files);
    if (typeof mounted !== 'string') return mounted;
    reasons.push(`unshare ${flags}: ${mounted.trim()}`);
  }
  return reasons.join('; ');
}

async function mount(flags: string, kib: number, files: number): Promise<SmallDisk | string> {
  const process = spawn('unshare', [flags, 'sh', '-c', holder, 'sh', String(kib), String(files)]);
  let complaint = '';
  process.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const said = createInterface({ input: process.stdout })[Symbol.asyncIterator]();
  try {
    await once(process, 'spawn');
  } catch (error) {
    return String(error);
  }
  const first = await said.next();
  if (first.value !== 'mounted') return complaint;
  return smallDisk(process, flags, async (mode) => {
    process.stdin.write(`${mode}\n`);
    const answer = await said.next();
    if (answer.value !== mode) throw new Error(`remount ${mode}: ${complaint}`);
  });
}

function smallDisk(
  holding: ChildProcessWithoutNullStreams,
  flags: string,
  remount: (mode: 'ro' | 'rw') => Promise<void>,
): SmallDisk {
  const pid = String(holding.pid);
  const path = `/proc/${pid}/root/mnt`;
  const filler = join(path, 'filler');
  return {
    path,
    innerPath: '/mnt',
    enter: ['nsenter', '-t', pid, '-m', ...(flags.includes('U') ? ['-U', '--preserve-credentials'] : [])],
    fill: () => {
      takeSpace(filler);
    },
    fillBut: (pages) => {
      const reserve = join(path, 'reserve');
      const file = openSync(reserve, 'w');
      writeSync(file, Buffer.alloc(pages * 4_096));
      closeSync(file);
      takeSpace(filler);
      rmSync(reserve);
    },
    free: () => {
      rmSync(filler, { force: true });
    },
    makeReadOnly: () => remount('ro'),
    makeWritable: () => remount('rw'),
    dispose: async () => {
      const ended = once(holding, 'exit');
      holding.stdin.end();
      await ended;
    },
  };
}

/** Writes until there is no space left, however often others were given some meanwhile. */
function takeSpace(path: string): void {
  const file = openSync(path, 'a');
  try {
    for (let size = 256 * 1024; size >= 1;) {
      try {
        writeSync(file, Buffer.alloc(size));
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
        size /= 2;
      }
    }
  } finally {
    closeSync(file);
  }
}
