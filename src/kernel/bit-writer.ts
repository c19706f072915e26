/** Collects bits, the highest of each number first. */
export class BitWriter {
  #bytes = Buffer.alloc(64 * 1024)
  #length = 0
  #pending = 0
  #count = 0

  /** Adds the lowest `count` bits of `value`, at most 24. */
  write(value: number, count: number): void {
    // Never more than 7 are pending, so 31 fit.
    this.#pending = (this.#pending << count) | value
    this.#count += count
    while (this.#count >= 8) {
      this.#count -= 8
      this.#push((this.#pending >>> this.#count) & 255)
    }
    this.#pending &= (1 << this.#count) - 1
  }

  /** Adds bytes given as hex digits. */
  writeHex(digits: string): void {
    for (const byte of Buffer.from(digits, 'hex')) this.write(byte, 8)
  }

  /** The whole bytes so far, which are taken out. */
  take(): Buffer {
    const bytes = Buffer.from(this.#bytes.subarray(0, this.#length))
    this.#length = 0
    return bytes
  }

  /** Fills the last byte with zeros. */
  pad(): void {
    if (this.#count > 0) this.write(0, 8 - this.#count)
  }

  #push(byte: number): void {
    if (this.#length === this.#bytes.length) {
      this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(this.#bytes.length)])
    }
    this.#bytes[this.#length++] = byte
  }
}
