// Limits how much expensive work is done at once: over all callers, and for each of them. Waiting callers get turns in
// rotation, not in the order of their requests. A turn counts as one, or as its given cost. Work that costs more than
// the limit runs alone.
import { tooBusy, unavailable } from './errors.ts'
import { currentWorkHolder } from './work-attribution.ts'

export type FairLimiterBounds = {
  /** The maximum cost of running work, in total and per caller. */
  readonly running_max: number
  readonly running_of_one_max: number
  /** The maximum number of waiting requests, in total and per caller. Further ones are refused at once. */
  readonly waiting_max: number
  readonly waiting_of_one_max: number
  /** Requests that have waited for this long are refused. */
  readonly waiting_ms_max: number
  /**
   * Whether the newest request runs first, and the oldest waiting one is dropped to make room. This is for
   * callers that cannot be told apart: a crowd of them must not keep everyone waiting.
   */
  readonly isNewestFirst?: boolean
}

type Turn = {
  /** The caller that the turn counts for; by default the current holder. */
  holder?: string
  /** The cost of the turn; 1 by default. */
  cost?: number
  signal?: AbortSignal
}

type Waiting = { cost: number; begin: () => void; refuse: (error: Error) => void }

export class FairLimiter {
  readonly #limits: FairLimiterBounds
  #running = 0
  #waiting = 0
  readonly #runningOf = new Map<string, number>()
  /** Waiting requests by caller, in the order of their next turn. */
  readonly #queues = new Map<string, Waiting[]>()

  constructor(limits: FairLimiterBounds) {
    this.#limits = limits
  }

  get running(): number {
    return this.#running
  }

  get running_max(): number {
    return this.#limits.running_max
  }

  get waiting(): number {
    return this.#waiting
  }

  /**
   * Waits for a turn. The returned function ends the turn and may be called repeatedly. Throws 429 if the
   * holder has too many waiting requests, 503 if all holders together have or the wait was too long, and the
   * signal's reason if it is aborted.
   */
  async acquire({
    holder = currentWorkHolder(),
    cost = 1,
    signal,
  }: Turn = {}): Promise<() => void> {
    signal?.throwIfAborted()
    if (this.#mayRun(holder, cost)) this.#begin(holder, cost)
    else await this.#wait(holder, cost, signal)
    return this.#endOnce(holder, cost)
  }

  /** Takes a turn at once, whatever the limits: for work that turned out to be expensive after it had begun. */
  take({ holder = currentWorkHolder(), cost = 1 }: Omit<Turn, 'signal'> = {}): () => void {
    this.#begin(holder, cost)
    return this.#endOnce(holder, cost)
  }

  isRunningOf(holder: string): boolean {
    return this.#runningOf.has(holder)
  }

  /** Starts waiting work that may run now, because the limits may have grown since the last turn ended. */
  reconsider(): void {
    this.#next()
  }

  async run<T>(task: () => Promise<T>, turn?: Turn): Promise<T> {
    const end = await this.acquire(turn)
    try {
      return await task()
    } finally {
      end()
    }
  }

  #mayRun(holder: string, cost: number): boolean {
    if (this.#running === 0) return true
    const { running_max, running_of_one_max } = this.#limits
    const ofOne = this.#runningOf.get(holder) ?? 0
    return this.#running + cost <= running_max && ofOne + cost <= running_of_one_max
  }

  #begin(holder: string, cost: number): void {
    this.#running += cost
    this.#runningOf.set(holder, (this.#runningOf.get(holder) ?? 0) + cost)
  }

  #endOnce(holder: string, cost: number): () => void {
    let isEnded = false
    return () => {
      if (isEnded) return
      isEnded = true
      this.#end(holder, cost)
    }
  }

  #end(holder: string, cost: number): void {
    this.#running -= cost
    const left = (this.#runningOf.get(holder) ?? cost) - cost
    if (left > 0) this.#runningOf.set(holder, left)
    else this.#runningOf.delete(holder)
    this.#next()
  }

  #wait(holder: string, cost: number, signal: AbortSignal | undefined): Promise<void> {
    const { waiting_max, waiting_of_one_max, waiting_ms_max, isNewestFirst } = this.#limits
    const queue = this.#queues.get(holder) ?? []
    if (queue.length >= waiting_of_one_max) throw tooBusy()
    if (this.#waiting >= waiting_max) {
      if (!isNewestFirst) throw unavailable()
      this.#queues.values().next().value?.[0]?.refuse(unavailable())
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        this.#waiting--
      }
      const entry: Waiting = {
        cost,
        begin() {
          leave()
          resolve()
        },
        refuse: (error) => {
          leave()
          queue.splice(queue.indexOf(entry), 1)
          if (queue.length === 0 && this.#queues.get(holder) === queue) this.#queues.delete(holder)
          reject(error)
        },
      }
      const giveUp = () => entry.refuse(signal?.reason as Error)
      const timer = setTimeout(() => entry.refuse(unavailable()), waiting_ms_max)
      signal?.addEventListener('abort', giveUp, { once: true })
      queue.push(entry)
      this.#queues.set(holder, queue)
      this.#waiting++
    })
  }

  /** Starts waiting work while turns are free. A caller that got a turn moves to the end of the queue. */
  #next(): void {
    const queues = [...this.#queues]
    if (this.#limits.isNewestFirst) queues.reverse()
    for (const [holder, queue] of queues) {
      const entry = queue[0]
      if (!entry || !this.#mayRun(holder, entry.cost)) continue
      queue.shift()
      this.#queues.delete(holder)
      if (queue.length > 0) this.#queues.set(holder, queue)
      this.#begin(holder, entry.cost)
      entry.begin()
    }
  }
}
