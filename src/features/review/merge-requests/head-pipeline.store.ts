import type { Db } from '../../../db/db.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import { headPipelineCondition } from './head-pipeline.ts'

/** Returns the newest pipelines of the heads of merge requests, by merge request id. */
export async function findHeadPipelines(
  db: Db,
  issuable_ids: readonly number[],
): Promise<Map<number, Pipeline>> {
  if (issuable_ids.length === 0) return new Map()
  const newest = db
    .selectFrom('merge_requests')
    .innerJoin('pipelines', (join) => join.on(headPipelineCondition))
    .select(({ fn }) => ['merge_requests.issuable_id', fn.max('pipelines.id').as('pipeline_id')])
    .where('merge_requests.issuable_id', 'in', issuable_ids)
    .groupBy('merge_requests.issuable_id')
  const rows = await db
    .selectFrom(newest.as('newest'))
    .innerJoin('pipelines', 'pipelines.id', 'newest.pipeline_id')
    .selectAll('pipelines')
    .select('newest.issuable_id')
    .execute()
  return new Map(rows.map(({ issuable_id, ...pipeline }) => [issuable_id, pipeline]))
}

/** Returns the newest pipeline of the head of a merge request. */
export async function findHeadPipeline(db: Db, issuable_id: number): Promise<Pipeline | undefined> {
  return (await findHeadPipelines(db, [issuable_id])).get(issuable_id)
}
