/** Counts by key. Keys whose count is zero take no memory. */
export class KeyCounts {
  readonly #counts = new Map<string, number>()

  add(key: string): void {
    this.#counts.set(key, this.of(key) + 1)
  }

  remove(key: string): void {
    const left = this.of(key) - 1
    if (left > 0) this.#counts.set(key, left)
    else this.#counts.delete(key)
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0
  }
}
