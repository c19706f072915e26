// One process at a time writes to the SQLite file. SQLite's own lock holds that rule; a process that waits for it stands
// still, for up to `busy_timeout`, so workers take turns before they begin.
import { monotonic_ms } from '../kernel/clock.ts'
import { Semaphore } from '../kernel/semaphore.ts'

/** How long a worker goes on with writes that wait in it, while another worker waits. */
const burst_ms = 2

/**
 * The turn to write, among the transactions of this process and among the processes. A process keeps its turn until
 * another one wants it, so that a single writer asks nobody.
 */
export class WriteTurn {
  readonly #send: (message: { type: 'take_turn' | 'end_turn' }) => void
  readonly #local = new Semaphore(1)
  #isHeld = false
  #taking: PromiseWithResolvers<void> | undefined
  /** Since when another process waits; undefined where none does. */
  #wanted_ms: number | undefined

  constructor(send: (message: { type: 'take_turn' | 'end_turn' }) => void) {
    this.#send = send
  }

  /** How many transactions of this process wait. */
  get waiting(): number {
    return this.#local.waiting
  }

  get isTaken(): boolean {
    return this.#local.isTaken
  }

  /** Waits for the turn; the function returned gives it back and may be called once. */
  async acquire(): Promise<() => void> {
    const release = await this.#local.acquire()
    if (!this.#isHeld) await this.#take()
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.#endIfWanted()
      release()
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

  /** The supervisor has given the turn to this process. */
  given(): void {
    this.#isHeld = true
    this.#taking?.resolve()
    this.#taking = undefined
  }

  /** Another process waits for the turn. */
  wanted(): void {
    if (!this.#isHeld) return
    this.#wanted_ms = monotonic_ms()
    if (!this.#local.isTaken) this.#end()
  }

  #take(): Promise<void> {
    this.#taking = Promise.withResolvers()
    this.#send({ type: 'take_turn' })
    return this.#taking.promise
  }

  #endIfWanted(): void {
    if (this.#wanted_ms === undefined) return
    const isBurstOver = monotonic_ms() - this.#wanted_ms >= burst_ms
    if (this.#local.waiting === 0 || isBurstOver) this.#end()
  }

  #end(): void {
    this.#isHeld = false
    this.#wanted_ms = undefined
    this.#send({ type: 'end_turn' })
  }
}
