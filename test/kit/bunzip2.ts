// Reads what bzip2 writes, by the description of the format and with no thought for speed: no part of
// Node does, and the program may not be there.

/** The bytes of a stream; throws where it is damaged. */
export function bunzip2(bytes: Buffer): Buffer {
  let at = 0
  const bit = () => {
    const byte = bytes[at >> 3]
    if (byte === undefined) throw new Error('The stream ends early.')
    return (byte >> (7 - (at++ & 7))) & 1
  }
  const bits = (count: number) => {
    let value = 0
    for (let taken = 0; taken < count; taken++) value = value * 2 + bit()
    return value
  }
  if (bytes.toString('latin1', 0, 3) !== 'BZh') throw new Error('This is no stream.')
  at = 32
  const parts: Buffer[] = []
  let streamCrc = 0
  for (;;) {
    const magic = bits(48)
    const crc = bits(32)
    if (magic === 0x177245385090) {
      if (crc !== streamCrc) throw new Error('The stream is damaged.')
      return Buffer.concat(parts)
    }
    if (magic !== 0x314159265359) throw new Error('There is no block.')
    const block = readBlock(bits)
    if (crcOf(block) !== crc) throw new Error('A block is damaged.')
    streamCrc = (((streamCrc << 1) | (streamCrc >>> 31)) ^ crc) >>> 0
    parts.push(block)
  }
}

function readBlock(bits: (count: number) => number): Buffer {
  if (bits(1) === 1) throw new Error('The block is scrambled.')
  const origin = bits(24)
  const rows = Array.from({ length: 16 }, () => bits(1))
  const used = rows.flatMap((row, at) =>
    row === 0 ? [] : Array.from({ length: 16 }, (_, index) => (bits(1) ? at * 16 + index : -1)),
  )
  const recent = used.filter((byte) => byte >= 0)
  const tableCount = bits(3)
  const order = Array.from({ length: tableCount }, (_, table) => table)
  const selectors = Array.from({ length: bits(15) }, () => {
    let place = 0
    while (bits(1)) place++
    const [table = 0] = order.splice(place, 1)
    order.unshift(table)
    return table
  })
  const endSymbol = recent.length + 1
  const tables = Array.from({ length: tableCount }, () => readTable(bits, recent.length + 2))
  const column: number[] = []
  let run = 0
  let weight = 1
  for (let count = 0; ; count++) {
    const table = tables[selectors[Math.floor(count / 50)] ?? -1]
    if (!table) throw new Error('The block has no more codes.')
    let code = 1
    while (!table.has(code)) {
      if (code >= 2 ** 21) throw new Error('There is no such code.')
      code = code * 2 + bits(1)
    }
    const symbol = table.get(code) ?? 0
    if (symbol <= 1) {
      run += weight * (symbol + 1)
      weight *= 2
      continue
    }
    for (; run > 0; run--) column.push(recent[0] ?? 0)
    weight = 1
    if (symbol === endSymbol) break
    const [byte = 0] = recent.splice(symbol - 1, 1)
    recent.unshift(byte)
    column.push(byte)
  }
  return unrun(unsort(column, origin))
}

/** Symbols by their codes, each with a one in front so that its zeros count. */
function readTable(bits: (count: number) => number, alphabet: number): Map<number, number> {
  let length = bits(5)
  const lengths = Array.from({ length: alphabet }, () => {
    while (bits(1)) length += bits(1) ? -1 : 1
    return length
  })
  const table = new Map<number, number>()
  let code = 0
  for (let size = 1; size <= 20; size++) {
    for (const [symbol, wanted] of lengths.entries()) {
      if (wanted === size) table.set(2 ** size + code++, symbol)
    }
    code *= 2
  }
  return table
}

function unsort(column: readonly number[], origin: number): number[] {
  const starts = new Int32Array(257)
  for (const byte of column) starts[byte + 1] = (starts[byte + 1] ?? 0) + 1
  for (let byte = 0; byte < 256; byte++)
    starts[byte + 1] = (starts[byte + 1] ?? 0) + (starts[byte] ?? 0)
  const nexts = new Int32Array(column.length)
  for (const [at, byte] of column.entries()) {
    nexts[starts[byte] ?? 0] = at
    starts[byte] = (starts[byte] ?? 0) + 1
  }
  let at = nexts[origin] ?? 0
  return column.map(() => {
    const byte = column[at] ?? 0
    at = nexts[at] ?? 0
    return byte
  })
}

/** Four equal bytes are followed by how many more there are. */
function unrun(bytes: readonly number[]): Buffer {
  const out: number[] = []
  let same = 0
  let last = -1
  for (const byte of bytes) {
    if (same === 4) {
      for (let count = 0; count < byte; count++) out.push(last)
      same = 0
      last = -1
      continue
    }
    same = byte === last ? same + 1 : 1
    last = byte
    out.push(byte)
  }
  return Buffer.from(out)
}

function crcOf(bytes: Buffer): number {
  let crc = 0xffffffff
  for (const byte of bytes) {
    crc ^= byte << 24
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  }
  return ~crc >>> 0
}
