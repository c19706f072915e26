import { jobStatusesBeforeEvent } from '../../../ci/job-states.ts'
import type { Db } from '../../../db/db.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'

/** Returns the outcomes of the jobs of pipelines by stage, without retried ones. */
export function listJobOutcomesByStage(db: Db, pipeline_ids: readonly number[]) {
  if (pipeline_ids.length === 0) return []
  return db
    .selectFrom('jobs')
    .select(['pipeline_id', 'stage', 'stage_position', 'status', 'allow_failure'])
    .where('pipeline_id', 'in', [...pipeline_ids])
    .where('retried', '=', false)
    .groupBy(['pipeline_id', 'stage', 'stage_position', 'status', 'allow_failure'])
    .orderBy('stage_position')
    .execute()
}

/** Returns earlier unfinished pipelines of a branch for commits other than its head, up to a limit. */
export function listOutdatedPipelines(
  db: Db,
  {
    project_id,
    ref,
    before_id,
    head,
    limit,
  }: {
    project_id: number
    ref: string
    before_id: number
    head: string | undefined
    limit: number
  },
): Promise<Pipeline[]> {
  return db
    .selectFrom('pipelines')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('ref', '=', ref)
    .where('tag', '=', false)
    .where('source', '<>', 'external')
    .where('parent_id', 'is', null)
    .where('id', '<', before_id)
    .where('sha', '<>', head ?? '')
    .where('status', 'in', jobStatusesBeforeEvent('cancel'))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export function listChildPipelines(db: Db, parent_id: number): Promise<Pipeline[]> {
  return db.selectFrom('pipelines').selectAll().where('parent_id', '=', parent_id).execute()
}

/** Whether a job of the pipeline that must not be interrupted has started. */
export async function hasStartedUninterruptibleJob(db: Db, pipeline_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where('pipeline_id', '=', pipeline_id)
    .where('kind', '=', 'build')
    .where('started_at', 'is not', null)
    .where('interruptible', '=', false)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a job of the pipeline that is allowed to fail failed or was canceled. */
export async function hasPipelineWarnings(db: Db, pipeline_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .select('id')
    .where('pipeline_id', '=', pipeline_id)
    .where('retried', '=', false)
    .where('allow_failure', '=', true)
    .where('status', 'in', ['failed', 'canceled'])
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export async function deletePipeline(db: Db, id: number): Promise<void> {
  await db.deleteFrom('pipelines').where('id', '=', id).execute()
}
