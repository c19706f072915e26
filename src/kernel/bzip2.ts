// Compresses in the format of bzip2 1.0, which no part of Node does. Slow for what it is (a few MB a
// second), so it runs in a thread of its own.
import { BitWriter } from './bit-writer.ts'
import { codeLengths, codesOf } from './huffman.ts'
import { sortRotations } from './rotations.ts'

/** The largest block of the format, 900,000 bytes, less what bzip2 itself keeps free. */
const block_bytes_max = 900_000 - 19
const run_max = 255
const code_bits_max = 17
const group_symbols = 50
const refinements = 4

const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24
  for (let bit = 0; bit < 8; bit++) crc = crc & 0x80000000 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  return crc >>> 0
})

/** One compressed stream: bytes go in by `push`, what is ready comes out of it, the rest of `end`. */
export class Bzip2 {
  readonly #bits = new BitWriter()
  readonly #block = new Uint8Array(block_bytes_max + 5)
  #length = 0
  #crc = 0xffffffff
  #streamCrc = 0
  #runByte = -1
  #runLength = 0

  constructor() {
    this.#bits.writeHex(Buffer.from('BZh9').toString('hex'))
  }

  push(bytes: Uint8Array): Buffer {
    for (let at = 0; at < bytes.length; at++) this.#add(bytes[at] ?? 0)
    return this.#bits.take()
  }

  end(): Buffer {
    this.#writeRun()
    if (this.#length > 0) this.#writeBlock()
    this.#bits.writeHex('177245385090')
    this.#writeWord(this.#streamCrc)
    this.#bits.pad()
    return this.#bits.take()
  }

  #add(byte: number): void {
    if (byte !== this.#runByte || this.#runLength === run_max) {
      this.#writeRun()
      if (this.#length >= block_bytes_max - 5) this.#writeBlock()
      this.#runByte = byte
      this.#runLength = 0
    }
    this.#runLength++
    this.#crc = ((this.#crc << 8) ^ (crcTable[(this.#crc >>> 24) ^ byte] ?? 0)) >>> 0
  }

  /** Four equal bytes are followed by how many more there are. */
  #writeRun(): void {
    const literal = Math.min(this.#runLength, 4)
    for (let count = 0; count < literal; count++) this.#block[this.#length++] = this.#runByte
    if (this.#runLength >= 4) this.#block[this.#length++] = this.#runLength - 4
    this.#runLength = 0
    this.#runByte = -1
  }

  #writeBlock(): void {
    const crc = ~this.#crc >>> 0
    this.#streamCrc = (((this.#streamCrc << 1) | (this.#streamCrc >>> 31)) ^ crc) >>> 0
    this.#bits.writeHex('314159265359')
    this.#writeWord(crc)
    writeContents(this.#bits, this.#block.subarray(0, this.#length))
    this.#length = 0
    this.#crc = 0xffffffff
  }

  #writeWord(word: number): void {
    this.#bits.write(word >>> 16, 16)
    this.#bits.write(word & 0xffff, 16)
  }
}

function writeContents(bits: BitWriter, block: Uint8Array): void {
  const order = sortRotations(block)
  // No block is scrambled any more, as early versions did with repetitive ones.
  bits.write(0, 1)
  bits.write(order.indexOf(0), 24)
  const isUsed = new Uint8Array(256)
  for (const byte of block) isUsed[byte] = 1
  const used = Array.from(isUsed.keys()).filter((byte) => isUsed[byte] === 1)
  writeUsed(bits, isUsed)
  const symbols = moveToFront(block, order, used)
  writeSymbols(bits, symbols, used.length + 2)
}

/** Which bytes occur: a bit for each sixteen, then one for each byte of those. */
function writeUsed(bits: BitWriter, isUsed: Uint8Array): void {
  const rows = Array.from({ length: 16 }, (_, row) => isUsed.subarray(row * 16, row * 16 + 16))
  const hasAny = (row: Uint8Array) => row.includes(1)
  for (const row of rows) bits.write(hasAny(row) ? 1 : 0, 1)
  for (const row of rows) if (hasAny(row)) for (const bit of row) bits.write(bit, 1)
}

const runA = 0
const runB = 1

/**
 * The bytes in front of the sorted rotations as how many other ones were met since they were met last.
 * Runs of zeros are numbers in the digits 1 and 2, the lowest first; the last symbol ends the block.
 */
function moveToFront(block: Uint8Array, order: Int32Array, used: readonly number[]): Uint16Array {
  const recent = Uint8Array.from(used)
  const symbols = new Uint16Array(block.length + 1)
  let length = 0
  let zeros = 0
  const writeZeros = () => {
    for (; zeros > 0; zeros = (zeros - 1) >>> 1) symbols[length++] = zeros & 1 ? runA : runB
  }
  for (const start of order) {
    const byte = block[start === 0 ? block.length - 1 : start - 1] ?? 0
    if (recent[0] === byte) {
      zeros++
      continue
    }
    writeZeros()
    const place = recent.indexOf(byte)
    recent.copyWithin(1, 0, place)
    recent[0] = byte
    symbols[length++] = place + 1
  }
  writeZeros()
  symbols[length++] = used.length + 1
  return symbols.subarray(0, length)
}

/** Every fifty symbols choose the code that makes them shortest. */
function writeSymbols(bits: BitWriter, symbols: Uint16Array, alphabet: number): void {
  const { tables, selectors } = chooseTables(symbols, alphabet)
  bits.write(tables.length, 3)
  bits.write(selectors.length, 15)
  writeSelectors(bits, selectors, tables.length)
  for (const lengths of tables) writeLengths(bits, lengths)
  const codes = tables.map(codesOf)
  for (let at = 0; at < symbols.length; at++) {
    const table = selectors[Math.floor(at / group_symbols)] ?? 0
    const symbol = symbols[at] ?? 0
    bits.write(codes[table]?.[symbol] ?? 0, tables[table]?.[symbol] ?? 0)
  }
}

function tableCount(symbols: number): number {
  if (symbols < 200) return 2
  if (symbols < 600) return 3
  if (symbols < 1200) return 4
  return symbols < 2400 ? 5 : 6
}

/** As bzip2: begins with codes for ranges of equal weight, then lets groups and codes find each other. */
function chooseTables(
  symbols: Uint16Array,
  alphabet: number,
): { tables: Uint8Array[]; selectors: Uint8Array } {
  let tables = firstTables(symbols, alphabet, tableCount(symbols.length))
  const selectors = new Uint8Array(Math.ceil(symbols.length / group_symbols))
  for (let round = 0; round < refinements; round++) {
    const counts = tables.map(() => new Float64Array(alphabet))
    for (let group = 0; group < selectors.length; group++) {
      const members = symbols.subarray(group * group_symbols, (group + 1) * group_symbols)
      const best = cheapest(tables, members)
      selectors[group] = best
      const count = counts[best]
      if (count) for (const symbol of members) count[symbol] = (count[symbol] ?? 0) + 1
    }
    tables = counts.map((count) => codeLengths(count, code_bits_max))
  }
  return { tables, selectors }
}

function firstTables(symbols: Uint16Array, alphabet: number, count: number): Uint8Array[] {
  const totals = new Float64Array(alphabet)
  for (const symbol of symbols) totals[symbol] = (totals[symbol] ?? 0) + 1
  const tables: Uint8Array[] = []
  let from = 0
  let left = symbols.length
  for (let table = 0; table < count; table++) {
    const share = left / (count - table)
    let to = from
    let sum = 0
    while (to < alphabet && (sum < share || table === count - 1)) sum += totals[to++] ?? 0
    const lengths = new Uint8Array(alphabet).fill(15)
    tables.push(lengths.fill(0, from, to))
    from = to
    left -= sum
  }
  return tables
}

function cheapest(tables: readonly Uint8Array[], members: Uint16Array): number {
  let best = 0
  let bestCost = Infinity
  for (let table = 0; table < tables.length; table++) {
    const lengths = tables[table] as Uint8Array
    let cost = 0
    for (let at = 0; at < members.length; at++) cost += lengths[members[at] ?? 0] ?? 0
    if (cost < bestCost) {
      best = table
      bestCost = cost
    }
  }
  return best
}

/** Moved to front, each as so many ones and a zero. */
function writeSelectors(bits: BitWriter, selectors: Uint8Array, count: number): void {
  const recent = Array.from({ length: count }, (_, table) => table)
  for (const selector of selectors) {
    const place = recent.indexOf(selector)
    recent.splice(place, 1)
    recent.unshift(selector)
    for (let at = 0; at < place; at++) bits.write(1, 1)
    bits.write(0, 1)
  }
}

/** The first length, then for each symbol the way from the one before: 10 is up, 11 down, 0 here. */
function writeLengths(bits: BitWriter, lengths: Uint8Array): void {
  let current = lengths[0] ?? 0
  bits.write(current, 5)
  for (const length of lengths) {
    for (; current < length; current++) bits.write(0b10, 2)
    for (; current > length; current--) bits.write(0b11, 2)
    bits.write(0, 1)
  }
}
