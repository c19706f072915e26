import type { Db } from '../../../db/db.ts'

/** Returns the jobs that deploy. */
export async function filterDeployingJobIds(db: Db, ids: readonly number[]): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('deployments')
    .select('job_id')
    .where('job_id', 'in', [...ids])
    .execute()
  return new Set(rows.flatMap(({ job_id }) => job_id ?? []))
}

/** Returns the ids of the jobs of a new pipeline. */
export async function listJobIds(db: Db, pipeline_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('pipeline_id', '=', pipeline_id)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}
