import { sql } from 'kysely'
import type { CiStatus, Db, PipelineTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'

export const pipelineScopes = ['running', 'pending', 'finished', 'branches', 'tags'] as const
export const pipelineOrders = ['id', 'status', 'ref', 'updated_at', 'user_id'] as const

export type PipelineFilter = {
  project_id: number
  scope?: (typeof pipelineScopes)[number]
  status?: CiStatus
  ref?: string
  sha?: string
  source?: PipelineTable['source']
  yaml_errors?: boolean
  username?: string
  name?: string
  updated_after?: string
  updated_before?: string
  created_after?: string
  created_before?: string
  order_by: (typeof pipelineOrders)[number]
  sort: 'asc' | 'desc'
}

const scopeStatuses: Record<'running' | 'pending' | 'finished', readonly CiStatus[]> = {
  running: ['running'],
  pending: ['pending'],
  finished: ['success', 'failed', 'canceled'],
}

/** Returns one page of a project's pipelines without child pipelines, and their total. */
export async function listPipelines(
  db: Db,
  filter: PipelineFilter,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: Pipeline[]; total: number | undefined }> {
  const matching = matchingPipelines(db, filter)
  let ordered = matching.selectAll('pipelines').orderBy(`pipelines.${filter.order_by}`, filter.sort)
  if (filter.order_by !== 'id') ordered = ordered.orderBy('pipelines.id', filter.sort)
  const rows = await ordered.limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, matching.select('pipelines.id')) }
}

function matchingPipelines(db: Db, filter: PipelineFilter) {
  const { scope, ref, sha, source, status, yaml_errors, username, name } = filter
  let query = db
    .selectFrom('pipelines')
    .where('pipelines.project_id', '=', filter.project_id)
    .where('pipelines.parent_id', 'is', null)
  if (scope === 'branches' || scope === 'tags') {
    // Only the newest pipeline of each branch or tag.
    query = query.where('pipelines.id', 'in', (eb) =>
      eb
        .selectFrom('pipelines as newest')
        .select(({ fn }) => fn.max('newest.id').as('id'))
        .where('newest.project_id', '=', filter.project_id)
        .where('newest.parent_id', 'is', null)
        .where('newest.tag', '=', scope === 'tags')
        .groupBy('newest.ref'),
    )
  } else if (scope) query = query.where('pipelines.status', 'in', [...scopeStatuses[scope]])
  if (status) query = query.where('pipelines.status', '=', status)
  if (ref !== undefined) query = query.where('pipelines.ref', '=', ref)
  if (sha !== undefined) query = query.where('pipelines.sha', '=', sha)
  if (source) query = query.where('pipelines.source', '=', source)
  if (name !== undefined) query = query.where('pipelines.name', '=', name)
  if (yaml_errors !== undefined) {
    query = query.where('pipelines.yaml_errors', yaml_errors ? 'is not' : 'is', null)
  }
  if (username !== undefined) {
    query = query.where('pipelines.user_id', 'in', (eb) =>
      eb
        .selectFrom('users')
        .select('users.id')
        .where(sql<boolean>`lower(users.username) = ${username.toLowerCase()}`),
    )
  }
  for (const [column, operator, value] of [
    ['updated_at', '>', filter.updated_after],
    ['updated_at', '<', filter.updated_before],
    ['created_at', '>', filter.created_after],
    ['created_at', '<', filter.created_before],
  ] as const) {
    if (value !== undefined) query = query.where(`pipelines.${column}`, operator, value)
  }
  return query
}
