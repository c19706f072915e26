// Archives for tests, as a runner packs them: deflated, or stored where that is asked for.
import { crc32, deflateRawSync } from 'node:zlib'

export type ZipEntry = {
  name: string
  content: Buffer | string
  isStored?: boolean
  /** What is said of its sizes, where that is not the truth. */
  size?: number
  compressed?: number
  method?: number
  flags?: number
  /** What Unix says of the file: 0o120777 is a link. */
  mode?: number
}

/** A zip of these files; a name that ends in a slash is a folder. */
export function zipOf(files: Record<string, Buffer | string> | readonly ZipEntry[]): Buffer {
  const entries: readonly ZipEntry[] = Array.isArray(files)
    ? files
    : Object.entries(files).map(([name, content]) => ({ name, content }))
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const { name, content, isStored = false, flags = 0x0800, mode = 0, ...said } = entry
    const plain = Buffer.from(content)
    const data = isStored ? plain : deflateRawSync(plain)
    const path = Buffer.from(name)
    const common = Buffer.alloc(26)
    common.writeUInt16LE(20, 0)
    common.writeUInt16LE(flags, 2)
    common.writeUInt16LE(said.method ?? (isStored ? 0 : 8), 4)
    common.writeUInt32LE(0x21_0000, 6)
    common.writeUInt32LE(crc32(plain), 10)
    common.writeUInt32LE(said.compressed ?? data.length, 14)
    common.writeUInt32LE(said.size ?? plain.length, 18)
    common.writeUInt16LE(path.length, 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, path, data])
    const tail = Buffer.alloc(14)
    tail.writeUInt16LE(mode, 8)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.from('PK\x01\x02\x14\x03'), common, tail, path)
    parts.push(local)
    offset += local.length
  }
  const index = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length & 0xffff, 8)
  end.writeUInt16LE(entries.length & 0xffff, 10)
  end.writeUInt32LE(index.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...parts, index, end])
}
