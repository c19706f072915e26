// Reads and writes files completely: a single system call may process fewer bytes than requested.
import { readSync, writeSync } from 'node:fs'

/** Writes all bytes, at a position of the file or where the last write ended. */
export function writeFully(
  descriptor: number,
  bytes: Buffer,
  position: number | null = null,
): void {
  for (let at = 0; at < bytes.length; ) {
    at += writeSync(
      descriptor,
      bytes,
      at,
      bytes.length - at,
      position === null ? null : position + at,
    )
  }
}

/** Reads `length` bytes; fewer only at the end of the file. */
export function readFully(
  descriptor: number,
  { position, length }: { position: number; length: number },
): Buffer {
  const buffer = Buffer.allocUnsafe(Math.max(0, length))
  let at = 0
  while (at < buffer.length) {
    const read = readSync(descriptor, buffer, at, buffer.length - at, position + at)
    if (read === 0) break
    at += read
  }
  return buffer.subarray(0, at)
}
