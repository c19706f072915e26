// The tar format as far as a backup needs it: plain files and folders, names of any length by GNU's long names,
// sizes of any number. What is written here, every tar reads.

const block_bytes = 512
const name_bytes_max = 100
/** The largest size that fits in eleven octal digits. */
const octal_max = 8 ** 11 - 1

export type TarEntry = { path: string; size: number; isFolder?: boolean; isSecret?: boolean }

/** What stands before the bytes of a file. */
export function tarHeader(entry: TarEntry): Buffer {
  const name = Buffer.from(entry.path)
  if (name.length <= name_bytes_max) return headerBlock(name, entry)
  const long = Buffer.concat([name, Buffer.alloc(1)])
  return Buffer.concat([
    headerBlock(Buffer.from('././@LongLink'), { size: long.length }, 'L'),
    long,
    tarPadding(long.length),
    headerBlock(name.subarray(0, name_bytes_max), entry),
  ])
}

/** What fills the last block of a file. */
export function tarPadding(size: number): Buffer {
  return Buffer.alloc((block_bytes - (size % block_bytes)) % block_bytes)
}

/** What ends an archive. */
export const tarEnd = Buffer.alloc(2 * block_bytes)

function headerBlock(
  name: Buffer,
  { size, isFolder, isSecret }: Omit<TarEntry, 'path'>,
  type = isFolder ? '5' : '0',
): Buffer {
  const block = Buffer.alloc(block_bytes)
  const mode = isFolder ? '0000755' : isSecret ? '0000600' : '0000644'
  name.copy(block, 0)
  block.write(`${mode}\0`, 100, 'latin1')
  block.write('0000000\0', 108, 'latin1')
  block.write('0000000\0', 116, 'latin1')
  if (size <= octal_max) block.write(`${size.toString(8).padStart(11, '0')}\0`, 124, 'latin1')
  else {
    // GNU: the number itself, marked by the first bit.
    block.writeBigUInt64BE(BigInt(size), 128)
    block[124] = 0x80
  }
  block.write('00000000000\0', 136, 'latin1')
  block.write('        ', 148, 'latin1')
  block.write(type, 156, 'latin1')
  block.write('ustar\x0000', 257, 'latin1')
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 'latin1')
  return block
}

export type FoundEntry = { path: string; size: number; isFolder: boolean; start: number }

/** Reads `length` bytes at a place of the archive; fewer only at its end. */
export type ReadAt = (position: number, length: number) => Buffer

/** The files and folders of an archive, in their order, with where their bytes begin. */
export function* tarEntries(readAt: ReadAt): Generator<FoundEntry> {
  let long: string | undefined
  for (let position = 0; ; ) {
    const block = readAt(position, block_bytes)
    if (block.length < block_bytes) throw new Error('The archive ends in the middle of a file.')
    if (block.every((byte) => byte === 0)) return
    const size = sizeIn(block)
    const start = position + block_bytes
    const type = String.fromCharCode(block[156] ?? 0)
    if (type === 'L') long = textIn(readAt(start, size))
    else {
      yield { path: long ?? textIn(block.subarray(0, 100)), size, isFolder: type === '5', start }
      long = undefined
    }
    position = start + Math.ceil(size / block_bytes) * block_bytes
  }
}

function sizeIn(block: Buffer): number {
  if (block[124] === 0x80) return Number(block.readBigUInt64BE(128))
  const size = Number.parseInt(textIn(block.subarray(124, 136)), 8)
  if (!Number.isSafeInteger(size)) throw new Error('The archive is broken.')
  return size
}

function textIn(bytes: Buffer): string {
  const end = bytes.indexOf(0)
  return bytes.toString('utf8', 0, end < 0 ? bytes.length : end)
}
