/**
 * A text of a request that is too long for one string: its UTF-8 bytes in pieces, as they arrived. Only file contents may
 * be that long; any other parameter is refused before.
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
