// Marks of a file's stamp: small numbers that are equal when the stamps are. Two stamps that differ have the same mark
// once in four thousand million cases. Kept on disk, so that what they are made of must not change.
import type { Stats } from 'node:fs';

const values = new Float64Array(4);
const words = new Uint32Array(values.buffer);

/** 32 bits that stand for size, modification time and inode. */
export function contentMark({ size, mtimeMs, ino }: Stats): number {
  values[0] = size;
  values[1] = mtimeMs;
  values[2] = ino;
  return mixed(6);
}

/** 16 bits that stand for the inode, and above them 16 bits for what chmod, chown and ln change. */
export function restMark({ ino, mode, nlink, uid, gid }: Stats): number {
  values[0] = ino;
  const inode = mixed(2) & 0xffff;
  values[0] = mode;
  values[1] = nlink;
  values[2] = uid;
  values[3] = gid;
  return ((mixed(8) << 16) | inode) >>> 0;
}

/** Whether two rest marks speak of another inode. */
export function isOtherInode(a: number, b: number): boolean {
  return ((a ^ b) & 0xffff) !== 0;
}

/** Murmur3 over the first words. */
function mixed(count: number): number {
  let hash = 0;
  for (let word = 0; word < count; word++) {
    let key = Math.imul(words[word] ?? 0, 0xcc9e2d51);
    key = Math.imul((key << 15) | (key >>> 17), 0x1b873593);
    hash ^= key;
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
