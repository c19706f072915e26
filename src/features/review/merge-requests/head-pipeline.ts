import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Schema } from '../../../db/schema.ts'

type Joined = ExpressionBuilder<Schema, 'pipelines' | 'merge_requests'>

/**
 * Whether a pipeline belongs to the head of a merge request: it ran for the merge request, or for its source branch in
 * the source project. Other pipelines of the same commit do not count: callers who may not push to the source branch
 * could create another branch and report any status there.
 */
export function headPipelineCondition(eb: Joined): Expression<SqlBool> {
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
