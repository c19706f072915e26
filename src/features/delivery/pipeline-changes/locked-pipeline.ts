// A pipeline that no other transaction may change until this one ends. Code that changes, retries or enqueues its jobs
// takes a LockedPipeline, so no job changes without the lock (decision 0028).
import type { JobEvent } from '../../../ci/job-states.ts'
import type { CiStatus, Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { lockPipelineRow } from './pipeline-change.store.ts'

/** The new status of a job. */
export type JobTransition = { id: number; status: CiStatus }

/** An open transaction that has locked a pipeline, and the changes it has made to jobs so far. */
class LockedPipeline {
  readonly id: number
  /** Whether the pipeline, and its jobs with it, was deleted. */
  readonly isDeleted: boolean
  readonly tx: Db
  readonly clock: Clock
  readonly #events = new Set<JobEvent>()
  #transitions: JobTransition[] = []
  #hasChangedJobs = false

  constructor({
    id,
    isDeleted = false,
    tx,
    clock,
  }: { id: number; isDeleted?: boolean; tx: Db; clock: Clock }) {
    this.id = id
    this.isDeleted = isDeleted
    this.tx = tx
    this.clock = clock
  }

  /** The events that callers have applied to jobs, without the transitions that follow from these. */
  get events(): ReadonlySet<JobEvent> {
    return this.#events
  }

  /** Whether the transaction has added or changed jobs. */
  get hasChangedJobs(): boolean {
    return this.#hasChangedJobs
  }

  recordEvent(event: JobEvent): void {
    this.#events.add(event)
    this.#hasChangedJobs = true
  }

  recordTransitions(ids: readonly number[], status: CiStatus): void {
    this.#transitions.push(...ids.map((id) => ({ id, status })))
    if (ids.length > 0) this.#hasChangedJobs = true
  }

  /** Records that a job was added or changed without a transition. */
  recordJobChange(): void {
    this.#hasChangedJobs = true
  }

  /** Returns the transitions since the last call, in the order in which they happened. */
  takeTransitions(): readonly JobTransition[] {
    const taken = this.#transitions
    this.#transitions = []
    return taken
  }
}

export type { LockedPipeline }

/** Locks a pipeline: other transactions that change its jobs wait until this one ends. */
export async function lockPipeline(
  tx: Db,
  clock: Clock,
  { id }: { id: number },
): Promise<LockedPipeline> {
  const isDeleted = !(await lockPipelineRow(tx, id))
  return new LockedPipeline({ id, isDeleted, tx, clock })
}

/** Returns the lock of a pipeline that the transaction has just inserted, which no other transaction can see yet. */
export function lockNewPipeline(tx: Db, clock: Clock, { id }: { id: number }): LockedPipeline {
  return new LockedPipeline({ id, tx, clock })
}
