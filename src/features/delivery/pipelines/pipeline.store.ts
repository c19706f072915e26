import type { Insertable, Updateable } from 'kysely'
import { statusesBefore } from '../../../ci/job-states.ts'
import type { Db, PipelineTable, PipelineVariableTable } from '../../../db/db.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'

/** The times of a pipeline, and the outcomes and the mean coverage of its jobs that still count. */
export async function findProgress(db: Db, id: number) {
  const outcomes = await db
    .selectFrom('jobs')
    .select(({ fn }) => [
      'status',
      'allow_failure',
      fn.sum<number | null>('coverage').as('coverage'),
      fn.count<number>('coverage').as('covered'),
    ])
    .where('pipeline_id', '=', id)
    .where('retried', '=', false)
    .groupBy(['status', 'allow_failure'])
    .execute()
  const covered = outcomes.reduce((sum, outcome) => sum + Number(outcome.covered), 0)
  const sum = outcomes.reduce((sum, { coverage }) => sum + (coverage ?? 0), 0)
  const coverage = covered === 0 ? null : sum / covered
  const pipeline = await db
    .selectFrom('pipelines')
    .select(['status', 'created_at', 'started_at', 'finished_at', 'upstream_job_id', 'project_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { pipeline, outcomes, coverage }
}

/** When the jobs that still count ran, in the order in which they began. */
export function listPeriods(db: Db, pipeline_id: number) {
  return db
    .selectFrom('jobs')
    .select(['started_at', 'finished_at'])
    .where('pipeline_id', '=', pipeline_id)
    .where('retried', '=', false)
    .where('started_at', 'is not', null)
    .orderBy('started_at')
    .execute()
}

/** Outcomes of the jobs of pipelines that still count, in the order of their stages. */
export function listOutcomesByStage(db: Db, pipeline_ids: readonly number[]) {
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

export async function updatePipeline(
  tx: Db,
  id: number,
  changes: Updateable<PipelineTable>,
): Promise<void> {
  await tx.updateTable('pipelines').set(changes).where('id', '=', id).execute()
}

export function findPipelineByOrigin(db: Db, origin: string): Promise<Pipeline | undefined> {
  return db.selectFrom('pipelines').selectAll().where('origin', '=', origin).executeTakeFirst()
}

export async function insertPipeline(tx: Db, values: Insertable<PipelineTable>): Promise<Pipeline> {
  return tx.insertInto('pipelines').values(values).returningAll().executeTakeFirstOrThrow()
}

export async function insertPipelineVariables(
  tx: Db,
  variables: readonly Insertable<PipelineVariableTable>[],
): Promise<void> {
  if (variables.length === 0) return
  await tx.insertInto('pipeline_variables').values(variables).execute()
}

/** Earlier pipelines of a branch that are not done with and not of its head, at most so many. */
export function listAlivePipelines(
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
    .where('status', 'in', statusesBefore('cancel'))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export function listChildren(db: Db, parent_id: number): Promise<Pipeline[]> {
  return db.selectFrom('pipelines').selectAll().where('parent_id', '=', parent_id).execute()
}

/** Whether a job of the pipeline has started that must not be interrupted. */
export async function hasStartedUninterruptible(db: Db, pipeline_id: number): Promise<boolean> {
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

/** Whether a job of the pipeline failed, or was called off, that may. */
export async function hasWarnings(db: Db, pipeline_id: number): Promise<boolean> {
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
