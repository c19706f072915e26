import type { Db } from '../db/db.ts'
import { limits } from '../kernel/limits.ts'
import { type Lane, laneNames } from './task.ts'

/**
 * The state of a lane over all nodes. `waiting` is counted up to `limits.counted_rows_max`; `waiting_s_max` is how long
 * the oldest task has been due, in seconds.
 */
export type LaneStats = {
  lane: Lane
  waiting: number
  waiting_s_max: number
  running: number
  failed: number
}

/** Returns the figures of every lane at the given time. The cost does not depend on the number of waiting tasks. */
export async function readLaneStats(db: Db, now: Date): Promise<LaneStats[]> {
  const ofLanes = db
    .selectFrom('tasks')
    .select(({ fn }) => ['lane', fn.countAll<number>().as('count')])
    .groupBy('lane')
  const [waiting, running, failed] = await Promise.all([
    Promise.all(laneNames.map((lane) => countDue(db, lane, now.toISOString()))),
    ofLanes.where('owner_id', 'is not', null).execute(),
    ofLanes.where('failed_at', 'is not', null).execute(),
  ])
  const countIn = (rows: { lane: string; count: number }[], lane: Lane) =>
    rows.find((row) => row.lane === lane)?.count ?? 0
  return waiting.map(({ lane, count, since }) => ({
    lane,
    waiting: count,
    waiting_s_max: since === null ? 0 : (now.getTime() - Date.parse(since)) / 1000,
    running: countIn(running, lane),
    failed: countIn(failed, lane),
  }))
}

async function countDue(
  db: Db,
  lane: Lane,
  now: string,
): Promise<{ lane: Lane; count: number; since: string | null }> {
  const due = db
    .selectFrom('tasks')
    .select('run_at')
    .where('lane', '=', lane)
    .where('owner_id', 'is', null)
    .where('failed_at', 'is', null)
    .where('run_at', '<=', now)
    .orderBy('run_at')
    .limit(limits.counted_rows_max)
  const found = await db
    .selectFrom(due.as('due'))
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.min<string | null>('run_at').as('since'),
    ])
    .executeTakeFirstOrThrow()
  return { lane, ...found }
}
