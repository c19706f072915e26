/** Lets at most `permits` callers run at once; the others wait in the order of arrival. */
export class Semaphore {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(permits: number) {
    this.#free = permits
  }

  /** The number of waiting callers. */
  get waiting(): number {
    return this.#waiting.length
  }

  get isTaken(): boolean {
    return this.#free === 0
  }

  /** Waits for a permit. The returned function releases it and may be called once. */
  async acquire(): Promise<() => void> {
    if (this.#free > 0) this.#free--
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      const next = this.#waiting.shift()
      if (next) next()
      else this.#free++
    }
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    const release = await this.acquire()
    try {
      return await task()
    } finally {
      release()
    }
  }
}

/** A mutex for each key, which exists only while it is held or waited for. */
export class KeyedMutex {
  readonly #holders = new Map<string, { mutex: Semaphore; users: number }>()

  async run<T>(key: string, task: () => Promise<T>): Promise<T> {
    const entry = this.#holders.get(key) ?? { mutex: new Semaphore(1), users: 0 }
    this.#holders.set(key, entry)
    entry.users++
    try {
      return await entry.mutex.run(task)
    } finally {
      if (--entry.users === 0) this.#holders.delete(key)
    }
  }
}
