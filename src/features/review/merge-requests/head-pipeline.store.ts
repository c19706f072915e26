// Which pipelines decide whether a merge request may be merged (docs/api/merge-requests.md, "Pipelines").
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '../../../db/db.ts'
import type { Schema } from '../../../db/schema.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'

type Joined = ExpressionBuilder<Schema, 'pipelines' | 'merge_requests'>

/**
 * Whether a pipeline is one of the head of a merge request: made for the request itself, or for its source branch in
 * the source project. Others of the same commit do not count: whoever may not push to the source branch can name
 * another branch, and report any status there.
 */
export function isOfHead(eb: Joined): Expression<SqlBool> {
  return eb.and([
    eb('pipelines.sha', '=', eb.ref('merge_requests.head_sha')),
    eb('pipelines.parent_id', 'is', null),
    sql<SqlBool>`pipelines.project_id in (merge_requests.project_id, merge_requests.source_project_id)`,
    eb.or([
      eb('pipelines.merge_request_id', '=', eb.ref('merge_requests.issuable_id')),
      eb.and([
        eb('pipelines.project_id', '=', eb.ref('merge_requests.source_project_id')),
        eb('pipelines.ref', '=', eb.ref('merge_requests.source_branch')),
        eb('pipelines.tag', '=', false),
      ]),
    ]),
  ])
}

/** The newest pipelines of the heads of merge requests, by the ids of these. */
export async function findHeadPipelines(
  db: Db,
  issuable_ids: readonly number[],
): Promise<Map<number, Pipeline>> {
  if (issuable_ids.length === 0) return new Map()
  const newest = db
    .selectFrom('merge_requests')
    .innerJoin('pipelines', (join) => join.on(isOfHead))
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

/** The newest pipeline of the head of a merge request. */
export async function findHeadPipeline(db: Db, issuable_id: number): Promise<Pipeline | undefined> {
  return (await findHeadPipelines(db, [issuable_id])).get(issuable_id)
}
