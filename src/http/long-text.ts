/**
 * A text of a request too long to be kept as one: its UTF-8 bytes in the pieces they came in. Only
 * contents of files are; every other parameter is refused long before.
 */
export class LongText {
  #pieces: Buffer[] = []
  #bytes = 0

  get bytes(): number {
    return this.#bytes
  }

  add(piece: Buffer): void {
    this.#pieces.push(piece)
    this.#bytes += piece.length
  }

  /** Hands the pieces out, first to last, and lets go of each: it can be read once. */
  *take(): Generator<Buffer> {
    const pieces = this.#pieces.reverse()
    this.#pieces = []
    for (let piece = pieces.pop(); piece; piece = pieces.pop()) yield piece
  }
}
