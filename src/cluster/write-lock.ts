// Lets one process at a time write to the SQLite file. SQLite's own lock enforces this, but a process that waits for it
// is blocked for up to `busy_timeout`, so workers take turns before they begin.
import { monotonic_ms } from '../kernel/clock.ts'
import { Semaphore } from '../kernel/semaphore.ts'

/** How long a worker goes on with its own waiting writes while another worker waits for the turn. */
const burst_ms = 2

type Send = (message: { type: 'request_turn' | 'release_turn' }) => void

/**
 * The turn to write, among the transactions of this process and among all processes. A process keeps its turn
 * until another one needs it, so a single writer sends no messages.
 */
export class WriteLock extends Semaphore {
  readonly #send: Send
  #isHeld = false
  #granted: PromiseWithResolvers<void> | undefined
  /** When another process started to wait; undefined if none waits. */
  #wanted_ms: number | undefined

  constructor(send: Send) {
    super(1)
    this.#send = send
  }

  /** Waits for the turn. The returned function releases it and may be called once. */
  override async acquire(): Promise<() => void> {
    const release = await super.acquire()
    if (!this.#isHeld) await this.#request()
    let isReleased = false
    return () => {
      if (isReleased) return
      isReleased = true
      this.#passOnIfWanted()
      release()
    }
  }

  /** Called when the supervisor has given the turn to this process. */
  granted(): void {
    this.#isHeld = true
    this.#granted?.resolve()
    this.#granted = undefined
  }

  /** Called when another process waits for the turn. */
  wanted(): void {
    if (!this.#isHeld) return
    this.#wanted_ms = monotonic_ms()
    if (!this.isTaken) this.#passOn()
  }

  #request(): Promise<void> {
    this.#granted = Promise.withResolvers()
    this.#send({ type: 'request_turn' })
    return this.#granted.promise
  }

  #passOnIfWanted(): void {
    if (this.#wanted_ms === undefined) return
    const isBurstOver = monotonic_ms() - this.#wanted_ms >= burst_ms
    if (this.waiting === 0 || isBurstOver) this.#passOn()
  }

  #passOn(): void {
    this.#isHeld = false
    this.#wanted_ms = undefined
    this.#send({ type: 'release_turn' })
  }
}
