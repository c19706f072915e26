// Masks secrets in a stream of bytes, also across chunks.

const replacement = '[MASKED]'

/** Bytes are kept as Latin-1 text, one character a byte, which is quick to search and loses nothing. */
export class Masker {
  readonly #secrets: string[]
  /** The end of what came: it may be the beginning of a secret. */
  #kept = ''
  /** How many bytes of that belong to a secret that has been replaced already. */
  #covered = 0

  constructor(secrets: readonly string[]) {
    this.#secrets = secrets
      .filter((secret) => secret !== '')
      .map((secret) => Buffer.from(secret).toString('latin1'))
  }

  /** What may be shown by now. */
  write(bytes: Buffer): Buffer {
    const text = this.#kept + bytes.toString('latin1')
    const end = this.#beginningOfSecret(text)
    return this.#show(text, end)
  }

  /** The rest: nothing more comes. */
  end(): Buffer {
    return this.#show(this.#kept, this.#kept.length)
  }

  /** Shows `text` as far as `end`, where a secret may begin that goes on in what is to come. */
  #show(text: string, end: number): Buffer {
    let shown = ''
    let place = Math.min(this.#covered, end)
    let covered = this.#covered
    for (const { from, to } of this.#secretsIn(text)) {
      if (from >= end) break
      // Those that overlap are one: no part of either is shown.
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

  /** Every place where a secret stands, in order; of those that begin at one place the longest. */
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

  /** Where the longest end of `text` begins that is a beginning of a secret; its length if none is. */
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
