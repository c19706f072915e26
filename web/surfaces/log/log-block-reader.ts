// The lines of the blocks of a log, read by ranges of bytes; the last few are kept.

export type ReadBytes = (from: number, to: number, signal: AbortSignal) => Promise<Uint8Array>

const kept_max = 9

export class LogBlockReader {
  readonly #bytes: ReadBytes
  readonly #signal: AbortSignal
  readonly #kept = new Map<number, { to: number; lines: Promise<string[]> }>()

  constructor(bytes: ReadBytes, signal: AbortSignal) {
    this.#bytes = bytes
    this.#signal = signal
  }

  /** The lines of a block; anew when it has grown. Rejects when they cannot be read, and forgets that. */
  read(block: number, { from, to }: { from: number; to: number }): Promise<string[]> {
    const known = this.#kept.get(block)
    if (known?.to === to) return known.lines
    const lines = this.#ask(from, to)
    this.#kept.set(block, { to, lines })
    if (this.#kept.size > kept_max) this.#kept.delete(this.#kept.keys().next().value ?? 0)
    lines.catch(() => this.#kept.delete(block))
    return lines
  }

  clear(): void {
    this.#kept.clear()
  }

  async #ask(from: number, to: number): Promise<string[]> {
    if (to <= from) return []
    const bytes = await this.#bytes(from, to, this.#signal)
    const lines = new TextDecoder().decode(bytes).split('\n')
    if (lines.at(-1) === '') lines.pop()
    return lines
  }
}
