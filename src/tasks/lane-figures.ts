import type { Db } from '../db/db.ts'
import { type Lane, laneNames } from './task.ts'

/** How a lane stands on all nodes together. `waiting_s_max` is for how long the oldest has been due. */
export type LaneFigures = {
  lane: Lane
  waiting: number
  waiting_s_max: number
  running: number
  failed: number
}

/** The figures of every lane at the time given, each from an index alone. */
export async function readLaneFigures(db: Db, now: Date): Promise<LaneFigures[]> {
  const ofLanes = db
    .selectFrom('tasks')
    .select(({ fn }) => ['lane', fn.countAll<number>().as('count')])
    .groupBy('lane')
  const [waiting, running, failed] = await Promise.all([
    ofLanes
      .select(({ fn }) => fn.min('run_at').as('since'))
      .where('owner_id', 'is', null)
      .where('failed_at', 'is', null)
      .where('run_at', '<=', now.toISOString())
      .execute(),
    ofLanes.where('owner_id', 'is not', null).execute(),
    ofLanes.where('failed_at', 'is not', null).execute(),
  ])
  const countIn = (rows: { lane: string; count: number }[], lane: Lane) =>
    rows.find((row) => row.lane === lane)?.count ?? 0
  return laneNames.map((lane) => {
    const since = waiting.find((row) => row.lane === lane)?.since ?? now.toISOString()
    return {
      lane,
      waiting: countIn(waiting, lane),
      waiting_s_max: (now.getTime() - Date.parse(since)) / 1000,
      running: countIn(running, lane),
      failed: countIn(failed, lane),
    }
  })
}
