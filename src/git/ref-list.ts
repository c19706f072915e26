import { createHash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Oid, RefName } from './names.ts'

/** A reference in a list. `oid` may be the id of an annotated tag object. */
export type Ref = { name: RefName; oid: Oid }

const oid_bytes = 20
/** How many references are processed before other work gets a turn. */
export const refs_per_turn = 5000

/** An immutable list of references, sorted by name in byte order. Each takes some forty bytes. */
export class RefList implements Iterable<Ref> {
  readonly #bytes: Buffer
  readonly #ends: Uint32Array
  #digest: Promise<string> | undefined

  constructor(bytes: Buffer, ends: Uint32Array) {
    this.#bytes = bytes
    this.#ends = ends
  }

  get length(): number {
    return this.#ends.length
  }

  /** What it takes in memory. */
  get bytes(): number {
    return this.#bytes.length + this.#ends.byteLength
  }

  at(position: number): Ref {
    return { name: this.nameAt(position), oid: this.oidAt(position) }
  }

  nameAt(position: number): RefName {
    return this.#bytes.toString(
      'utf8',
      this.#startOf(position) + oid_bytes,
      this.#ends[position],
    ) as RefName
  }

  oidAt(position: number): Oid {
    const start = this.#startOf(position)
    return this.#bytes.toString('hex', start, start + oid_bytes) as Oid
  }

  *[Symbol.iterator](): Generator<Ref> {
    for (let position = 0; position < this.length; position++) yield this.at(position)
  }

  /** In runs, between which others get their turn. */
  async *runs(): AsyncGenerator<Ref[]> {
    for (let from = 0; from < this.length; from += refs_per_turn) {
      if (from > 0) await setImmediate()
      const to = Math.min(from + refs_per_turn, this.length)
      yield Array.from({ length: to - from }, (_, at) => this.at(from + at))
    }
  }

  /** Where the reference of that name is; -1 where there is none. */
  indexOf(name: string): number {
    const wanted = Buffer.from(name)
    let low = 0
    let high = this.length
    while (low < high) {
      const middle = (low + high) >> 1
      const start = this.#startOf(middle) + oid_bytes
      const order = this.#bytes.compare(wanted, 0, wanted.length, start, this.#ends[middle])
      if (order === 0) return middle
      if (order < 0) low = middle + 1
      else high = middle
    }
    return -1
  }

  /** The same for lists of the same references that point at the same, and for no others. */
  digest(): Promise<string> {
    this.#digest ??= this.#hash()
    return this.#digest
  }

  async #hash(): Promise<string> {
    const hash = createHash('sha256').update(this.#ends)
    const piece_bytes = 4 * 1024 * 1024
    for (let at = 0; at < this.#bytes.length; at += piece_bytes) {
      if (at > 0) await setImmediate()
      hash.update(this.#bytes.subarray(at, at + piece_bytes))
    }
    return hash.digest('base64')
  }

  #startOf(position: number): number {
    return position === 0 ? 0 : (this.#ends[position - 1] as number)
  }
}

/** Builds a list from references that are added in byte order of their names. */
export class RefListBuilder {
  #bytes = Buffer.allocUnsafe(4096)
  #length = 0
  #ends = new Uint32Array(64)
  #count = 0

  /** The digits of the object stand before the name in `source`, with a space between. */
  add(source: Buffer, start: number, end: number): void {
    const nameStart = start + 2 * oid_bytes + 1
    const length = this.#length + oid_bytes + end - nameStart
    if (length > this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes], Math.max(length, 2 * this.#bytes.length))
    }
    for (let at = 0; at < oid_bytes; at++) {
      const high = digit(source[start + 2 * at] as number)
      this.#bytes[this.#length + at] = (high << 4) | digit(source[start + 2 * at + 1] as number)
    }
    source.copy(this.#bytes, this.#length + oid_bytes, nameStart, end)
    this.#length = length
    if (this.#count === this.#ends.length) {
      const longer = new Uint32Array(2 * this.#count)
      longer.set(this.#ends)
      this.#ends = longer
    }
    this.#ends[this.#count++] = length
  }

  build(): RefList {
    // Copied, so that unused memory is released.
    return new RefList(
      Buffer.from(this.#bytes.subarray(0, this.#length)),
      this.#ends.slice(0, this.#count),
    )
  }
}

/** Returns the value of a lower-case hexadecimal digit, given its character code. */
function digit(code: number): number {
  return code < 58 ? code - 48 : code - 87
}
