import { AsyncResource } from 'node:async_hooks'
import { setImmediate } from 'node:timers/promises'
import type { Db } from '../db/db.ts'
import { withoutFlush } from '../db/without-flush.ts'
import { type Clock, timestamp } from '../kernel/clock.ts'
import { newRequestId } from '../kernel/ids.ts'
import { limits } from '../kernel/limits.ts'
import { RepositoryElsewhereError } from '../kernel/repository-elsewhere.ts'
import { runAsWork, serverHolder } from '../kernel/work-attribution.ts'
import type { FailedRun } from './log-task-failure.ts'
import { taskDiedTwiceText } from './orphaned-task.ts'
import { taskRunCounts } from './run-counts.ts'
import {
  claimTask,
  createDueTaskFinder,
  type DueTask,
  type DueTaskFinder,
  endTaskRun,
  insertMissingRecurringTasks,
  releaseAbandonedTasks,
  removeTaskWorker,
  type TaskRunOutcome,
  upsertTaskWorker,
} from './task.store.ts'
import {
  awaitMakeTasksDueWrites,
  type Lane,
  lanes,
  subscribeToEnqueuedTasks,
  type Task,
} from './task.ts'

// A worker knows tasks of every payload; each row's was written by the task's own caller.
// biome-ignore lint/suspicious/noExplicitAny: see above.
type AnyTask<Uses> = Task<any, Uses>

export type WorkerOptions<Uses> = {
  db: Db
  clock: Clock
  tasks: readonly AnyTask<Uses>[]
  /** Handed to each task, which takes of it what it needs. */
  uses: Uses
  /** Names of the storages whose disks are here, where others are on other servers. */
  storages?: readonly string[]
  /** Runs a task with copies of the repositories elsewhere that it reads beside its own. */
  runWithMirrors?: (run: () => Promise<void>) => Promise<void>
  /** Whether this process begins nothing in the lane for now, as for want of room. */
  isHeld?: (lane: Lane) => boolean
  /** Told of a run that failed, or without a run of what went wrong with the queue itself. */
  onError: (error: unknown, run?: FailedRun) => void
}

type LaneState = {
  lane: Lane
  findDueTask: DueTaskFinder
  /** Places that run a task or look for one. */
  busy: number
  /** Whether a task became due since a place last looked for one. */
  isWoken: boolean
}

/**
 * Runs enqueued tasks in all lanes concurrently. While it runs any, the process renews its own row. Tasks of a process that
 * no longer renews are taken over by others.
 */
export class Worker<Uses> {
  readonly #options: WorkerOptions<Uses>
  /** For who runs what: a claim or an end that is lost leaves a task that runs again, which each must bear. */
  readonly #unflushed: Db
  readonly #id = newRequestId()
  readonly #lanes: ReadonlyMap<string, LaneState>
  /** Ids of the tasks that run here. */
  readonly #running = new Set<number>()
  readonly #places = new Set<Promise<void>>()
  readonly #timers: NodeJS.Timeout[] = []
  #beating: Promise<void> | undefined
  #endWaking = () => {}
  #seen_ms = Number.NEGATIVE_INFINITY
  #isStopping = false

  constructor(options: WorkerOptions<Uses>) {
    this.#options = options
    this.#unflushed = withoutFlush(options.db)
    const byLane = Map.groupBy(options.tasks, ({ lane }) => lane)
    this.#lanes = new Map(
      [...byLane].map(([lane, tasks]) => {
        const names = tasks.map(({ name }) => name)
        return [
          lane,
          {
            lane,
            findDueTask: createDueTaskFinder(lane, names, options.storages),
            busy: 0,
            isWoken: false,
          },
        ]
      }),
    )
  }

  /** Looks for the first time after `limits.tasks.poll_ms`, so that a server that starts answers before it works. */
  async start(): Promise<void> {
    const { db, clock, tasks } = this.#options
    const recurring = tasks.filter(({ every_ms }) => every_ms !== undefined)
    await insertMissingRecurringTasks(db, recurring, timestamp(clock))
    const { poll_ms, beat_ms } = limits.tasks
    const poll = () => {
      for (const state of this.#lanes.values()) this.#fill(state)
    }
    this.#timers.push(
      setInterval(poll, poll_ms),
      setInterval(() => this.#beat(), beat_ms),
    )
    for (const timer of this.#timers) timer.unref()
    // Tasks run on the account of the server, not of the caller that enqueued them.
    this.#endWaking = subscribeToEnqueuedTasks(
      AsyncResource.bind((lane: string) => this.#wake(lane)),
    )
  }

  /**
   * Begins nothing more and lets what runs end, for so long. What does not is given back; everything else
   * stays queued.
   */
  async stop(wait_ms: number = limits.tasks.stop_ms_max): Promise<void> {
    this.#isStopping = true
    this.#endWaking()
    const { promise: isLate, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, wait_ms)
    await Promise.race([Promise.all([...this.#places, awaitMakeTasksDueWrites()]), isLate])
    clearTimeout(timer)
    for (const timer of this.#timers) clearInterval(timer)
    await this.#beating
    // One that has run nothing has no row; one whose database is gone is found out by its silence.
    if (!Number.isFinite(this.#seen_ms)) return
    await removeTaskWorker(this.#options.db, this.#id).catch(this.#options.onError)
  }

  /** Runs everything that is due, one after another, until nothing is; for tests and one-off commands. */
  async drain(): Promise<void> {
    await this.#release()
    await awaitMakeTasksDueWrites()
    for (let found = true; found; ) {
      found = false
      for (const state of this.#lanes.values()) {
        for (let task = await this.#claim(state); task; task = await this.#claim(state)) {
          found = true
          await this.#run(task, state.lane)
        }
      }
    }
  }

  #wake(lane: string): void {
    const state = this.#lanes.get(lane)
    if (!state) return
    state.isWoken = true
    this.#fill(state)
  }

  /** Has a free place of the lane, if there is one, run what is due. */
  #fill(state: LaneState): void {
    if (this.#isStopping || state.busy >= lanes[state.lane]) return
    state.busy++
    const place = this.#work(state).finally(() => {
      state.busy--
      this.#places.delete(place)
    })
    this.#places.add(place)
  }

  async #work(state: LaneState): Promise<void> {
    try {
      while (!this.#isStopping) {
        state.isWoken = false
        const task = await this.#claim(state)
        if (!task) {
          // A task that became due meanwhile may have found no free place.
          if (state.isWoken) continue
          return
        }
        // Another place may find more tasks.
        this.#fill(state)
        await this.#run(task, state.lane)
        // SQLite runs synchronously, so without a turn of the event loop no other work would run.
        await setImmediate()
      }
    } catch (error) {
      this.#options.onError(error)
    }
  }

  /** Takes the next task of the lane that is due, which is running from then on; undefined where none is. */
  async #claim({ lane, findDueTask }: LaneState): Promise<DueTask | undefined> {
    const { db, clock, isHeld } = this.#options
    if (isHeld?.(lane)) return undefined
    for (;;) {
      const now = timestamp(clock)
      const task = await findDueTask(db, { now, besides: this.#running })
      if (!task) return undefined
      if (this.#running.has(task.id)) continue
      this.#running.add(task.id)
      try {
        // A worker must be recorded as alive before it claims a task.
        await this.#recordLife()
        if (await claimTask(this.#unflushed, { id: task.id, lane, owner_id: this.#id, now }))
          return task
      } catch (error) {
        this.#running.delete(task.id)
        throw error
      }
      this.#running.delete(task.id)
    }
  }

  async #run(
    { id, name, payload, attempts, last_error, storage }: DueTask,
    lane: Lane,
  ): Promise<void> {
    const { tasks, uses, onError, runWithMirrors } = this.#options
    const task = tasks.find((known) => known.name === name)
    // A task that kills its process must not do so at every start. The recurring ones wait for their next time,
    // and those that must end for a while.
    const isDeadly = last_error === taskDiedTwiceText
    let after: TaskRunOutcome
    try {
      if (!task) throw new Error(`Unknown background task: ${name}.`)
      if (isDeadly) throw new Error(taskDiedTwiceText)
      // Each of these runs began and neither finished nor failed. A task that kills its process must not run forever.
      if (task.every_ms === undefined && attempts >= attemptsOf(task)) {
        throw new Error(
          `Background task ${name} never finished: each of ${attempts} runs ended with its process.`,
        )
      }
      const run = () =>
        runAsWork({ holder: serverHolder, name: `task ${name}` }, () => task.run(uses, payload))
      // A task that was sent here needs a repository of this server. It may also read mirrors of others.
      await (storage !== null && runWithMirrors ? runWithMirrors(run) : run())
      after = this.#afterSuccess(task)
    } catch (error) {
      if (error instanceof RepositoryElsewhereError && error.storage !== storage) {
        // A task that is sent from server to server must end at some time.
        const counted = storage === null ? attempts : attempts + 1
        await this.#sendElsewhere({ id, storage: error.storage, attempts: counted })
        return
      }
      taskRunCounts.failed++
      const failure = {
        error,
        attempts: attempts + 1,
        isLast: isDeadly && !task?.runsAfterDeaths,
      }
      const row = this.#afterFailure(task, failure)
      after = row
      onError(error, {
        ...{ id, name, lane, attempts: failure.attempts, runs_again_at: row.run_at },
        isRecurring: task?.every_ms !== undefined,
      })
    }
    taskRunCounts.processed++
    try {
      await endTaskRun(this.#unflushed, { id, owner_id: this.#id }, after)
    } finally {
      this.#running.delete(id)
    }
  }

  /** Leaves a task to the server that has the disk of the storage. */
  async #sendElsewhere({
    id,
    ...task
  }: {
    id: number
    storage: string
    attempts: number
  }): Promise<void> {
    try {
      await endTaskRun(
        this.#unflushed,
        { id, owner_id: this.#id },
        // A task that needs several servers is passed on at once; one that goes back and forth waits as after a failure.
        { ...task, run_at: this.#in(task.attempts < 3 ? 0 : retryDelay_ms(task.attempts - 2)) },
      )
    } finally {
      this.#running.delete(id)
    }
  }

  #afterSuccess({ every_ms }: AnyTask<Uses>): TaskRunOutcome {
    if (every_ms === undefined) return 'done'
    return { run_at: this.#in(every_ms), attempts: 0, last_error: null }
  }

  #afterFailure(
    task: AnyTask<Uses> | undefined,
    { error, attempts, isLast }: { error: unknown; attempts: number; isLast: boolean },
  ): { run_at?: string; failed_at?: string; last_error: string } {
    const last_error = String(error).slice(0, limits.tasks.error_characters)
    if (task?.every_ms !== undefined) return { run_at: this.#in(task.every_ms), last_error }
    if (isLast || attempts >= attemptsOf(task)) return { failed_at: this.#in(0), last_error }
    return { run_at: this.#in(retryDelay_ms(attempts)), last_error }
  }

  #in(wait_ms: number): string {
    return new Date(this.#options.clock().getTime() + wait_ms).toISOString()
  }

  /** Says that this process lives while it runs something, and takes care of what others left. */
  #beat(): void {
    const beat = async () => {
      if (this.#running.size > 0) await this.#recordLife()
      await this.#release()
    }
    this.#beating ??= beat()
      .catch((error) => this.#options.onError(error))
      .finally(() => {
        this.#beating = undefined
      })
  }

  async #recordLife(): Promise<void> {
    const { clock } = this.#options
    const now_ms = clock().getTime()
    if (now_ms - this.#seen_ms < limits.tasks.beat_ms) return
    await upsertTaskWorker(this.#unflushed, { id: this.#id, seen_at: timestamp(clock) })
    this.#seen_ms = now_ms
  }

  async #release(): Promise<void> {
    await releaseAbandonedTasks(this.#options.db, {
      id: this.#id,
      isRunning: (task) => this.#running.has(task),
      seen_before: this.#in(-limits.tasks.silence_ms_max),
    })
  }
}

/** Returns how long a task waits after so many failed attempts. */
function retryDelay_ms(attempts: number): number {
  const { retry_ms, retry_ms_max } = limits.tasks
  return Math.min(retry_ms * 2 ** (attempts - 1), retry_ms_max)
}

function attemptsOf(task: Pick<Task<never, never>, 'attempts_max'> | undefined): number {
  return task?.attempts_max ?? limits.tasks.attempts_max
}
