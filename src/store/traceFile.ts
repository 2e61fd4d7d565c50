// The file that an import reads: a file that ends, looked at before anything of it is taken. What somebody picks may be a
// pipe, a device, a folder, or grow for ever.
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import { RatchetError } from '../core/errors.ts';
import { sizeText } from '../core/words.ts';
import { systemErrorCode } from '../platform/systemError.ts';
import { FutureFormatError, headerIn } from './journalReader.ts';

/** Ten times what a session was designed for. */
const largest = 2 * 1024 * 1024 * 1024;
const gzipMark = [0x1f, 0x8b];

export interface TraceFile {
  /** To be closed by who opened it. */
  readonly handle: FileHandle;
  /** Bytes that it had when it was opened. What is added meanwhile is not read. */
  readonly size: number;
}

/**
 * Opens a trace whose first line is the header of one.
 * @throws RatchetError `not_a_trace` or `unsupported_format`, or the error of the file system
 */
export async function openTrace(file: string): Promise<TraceFile> {
  const handle = await opened(file);
  try {
    const stats = await handle.stat();
    if (!stats.isFile()) throw notATrace('it is no regular file');
    if (stats.size > largest) throw notATrace(`it has more than ${sizeText(largest)}`);
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(64 * 1024), 0, 64 * 1024, 0);
    const start = buffer.subarray(0, bytesRead);
    if (gzipMark.every((byte, index) => start[index] === byte))
      throw notATrace('it is compressed. Unpack it with gunzip first');
    if (!headerIn(start)) throw notATrace('its first line is not the header of one');
    return { handle, size: stats.size };
  } catch (error) {
    await handle.close();
    if (error instanceof FutureFormatError)
      throw new RatchetError('unsupported_format', error.message, { cause: error });
    throw error;
  }
}

async function opened(file: string): Promise<FileHandle> {
  try {
    // Without waiting for whoever writes into a pipe.
    return await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = systemErrorCode(error);
    if (code === 'EISDIR' || code === 'ENXIO') throw notATrace('it is no regular file');
    throw error;
  }
}

function notATrace(why: string): RatchetError {
  return new RatchetError(
    'not_a_trace',
    `This file is not a trace: ${why}. Choose a .jsonl file that Export Trace made.`,
  );
}
