// Masks secrets in a stream of bytes, also across chunks.

const replacement = '[MASKED]'

/** Bytes are handled as Latin-1 text with one character per byte, which is fast to search and lossless. */
export class Masker {
  readonly #secrets: string[]
  /** The end of the input, which may be the beginning of a secret. */
  #kept = ''
  /** How many bytes of `#kept` belong to a secret that was already replaced. */
  #covered = 0

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets
      .filter((secret) => secret !== '')
      .map((secret) => Buffer.from(secret).toString('latin1'))
  }

  /** Returns the output that is safe to show so far. */
  write(bytes: Buffer): Buffer {
    const text = this.#kept + bytes.toString('latin1')
    const end = this.#beginningOfSecret(text)
    return this.#show(text, end)
  }

  /** Returns the rest of the output. Nothing may be written afterwards. */
  end(): Buffer {
    return this.#show(this.#kept, this.#kept.length)
  }

  /** Masks `text` up to `end`. A secret that continues in later input may begin there. */
  #show(text: string, end: number): Buffer {
    let shown = ''
    let place = Math.min(this.#covered, end)
    let covered = this.#covered
    for (const { from, to } of this.#secretsIn(text)) {
      if (from >= end) break
      // Overlapping secrets are masked as one, so that no part of either is shown.
      if (from >= covered || covered === 0) {
        shown += text.slice(place, from) + replacement
      }
      covered = Math.max(covered, to)
      place = Math.min(covered, end)
    }
    shown += text.slice(place, end)
    this.#kept = text.slice(end)
    this.#covered = Math.max(0, covered - end)
    return Buffer.from(shown, 'latin1')
  }

  /** Returns the positions of all secrets in order; of several at the same position the longest. */
  #secretsIn(text: string): { from: number; to: number }[] {
    const found = this.#secrets.flatMap((secret) => {
      const places: { from: number; to: number }[] = []
      let from = text.indexOf(secret)
      while (from >= 0) {
        places.push({ from, to: from + secret.length })
        from = text.indexOf(secret, from + 1)
      }
      return places
    })
    return found.sort((a, b) => a.from - b.from || b.to - a.to)
  }

  /**
   * Returns where the longest suffix starts that is the beginning of a secret; the length of the text if no
   * suffix is.
   */
  #beginningOfSecret(text: string): number {
    let begin = text.length
    for (const secret of this.#secrets) {
      const longest = Math.min(secret.length - 1, text.length)
      for (let length = longest; length > text.length - begin; length--) {
        if (!text.endsWith(secret.slice(0, length))) continue
        begin = text.length - length
        break
      }
    }
    return begin
  }
}
