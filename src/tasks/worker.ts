import type { Db } from '../db/db.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Task, TaskPayload } from './task.ts'

// A worker knows tasks of every payload; each row's was written by the task's own caller.
// biome-ignore lint/suspicious/noExplicitAny: see above.
type AnyTask<Tools> = Task<any, Tools>

export type WorkerOptions<Tools> = {
  db: Db
  clock: Clock
  tasks: readonly AnyTask<Tools>[]
  tools: Tools
  /** Work done at every tick, whatever is queued. */
  recurring: readonly ((tools: Tools) => Promise<void>)[]
  onError: (error: unknown, task: string) => void
}

const poll_ms = 1000
const recurring_ms = 60_000
const retry_ms_max = 60 * 60_000

type Claim = { id: number; name: string; payload: TaskPayload; attempts: number; lease: string }

/** Runs queued tasks one after another, and recurring ones every minute. */
export class Worker<Tools> {
  readonly #options: WorkerOptions<Tools>
  #timer: NodeJS.Timeout | undefined
  #round: Promise<void> | undefined
  #lastRecurring_ms = 0
  #isStopping = false

  constructor(options: WorkerOptions<Tools>) {
    this.#options = options
  }

  start(): void {
    this.#timer = setInterval(() => this.#tick(), poll_ms)
    this.#timer.unref()
    this.#tick()
  }

  /** Lets the running task end; the others stay queued. */
  async stop(): Promise<void> {
    this.#isStopping = true
    clearInterval(this.#timer)
    await this.#round
  }

  /** Runs everything that is due until nothing is; for tests and for one-off commands. */
  async drain(): Promise<void> {
    await this.#round
    while (await this.#runOne()) {}
  }

  #tick(): void {
    if (this.#round || this.#isStopping) return
    this.#round = this.#work().finally(() => {
      this.#round = undefined
    })
  }

  async #work(): Promise<void> {
    const { clock, recurring, tools, onError } = this.#options
    try {
      if (clock().getTime() - this.#lastRecurring_ms >= recurring_ms) {
        this.#lastRecurring_ms = clock().getTime()
        for (const run of recurring) await run(tools)
      }
      while (!this.#isStopping && (await this.#runOne())) {}
    } catch (error) {
      onError(error, 'worker')
    }
  }

  /** Claims and runs one due task; false when there is none. */
  async #runOne(): Promise<boolean> {
    const claim = await this.#claim()
    if (!claim) return false
    const { db, clock, tasks, tools, onError } = this.#options
    const task = tasks.find(({ name }) => name === claim.name)
    const mine = { id: claim.id, leased_until: claim.lease }
    try {
      if (!task) throw new Error(`No task is named ${claim.name}.`)
      await task.run(tools, claim.payload)
      await db
        .deleteFrom('tasks')
        .where((eb) => eb.and(mine))
        .execute()
    } catch (error) {
      onError(error, claim.name)
      const wait_ms = Math.min(10_000 * 2 ** claim.attempts, retry_ms_max)
      await db
        .updateTable('tasks')
        .set({
          leased_until: null,
          run_at: new Date(clock().getTime() + wait_ms).toISOString(),
          last_error: String(error).slice(0, 1000),
        })
        .where((eb) => eb.and(mine))
        .execute()
    }
    return true
  }

  async #claim(): Promise<Claim | undefined> {
    const { db, clock, tasks } = this.#options
    const now = clock()
    const due = await db
      .selectFrom('tasks')
      .select(['id', 'name', 'payload', 'attempts', 'leased_until'])
      .where('run_at', '<=', now.toISOString())
      .where((eb) =>
        eb.or([eb('leased_until', 'is', null), eb('leased_until', '<', now.toISOString())]),
      )
      .orderBy('run_at')
      .limit(1)
      .executeTakeFirst()
    if (!due) return undefined
    const lease_ms = tasks.find(({ name }) => name === due.name)?.lease_ms ?? 60_000
    const lease = new Date(now.getTime() + lease_ms).toISOString()
    const { numUpdatedRows } = await db
      .updateTable('tasks')
      .set({ leased_until: lease, attempts: due.attempts + 1 })
      .where('id', '=', due.id)
      .where('leased_until', due.leased_until === null ? 'is' : '=', due.leased_until)
      .executeTakeFirst()
    return numUpdatedRows === 1n ? { ...due, lease } : undefined
  }
}
