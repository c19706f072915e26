import type { Updateable } from 'kysely'
import type { Db, PipelineTable } from '../../../db/db.ts'

/** The times of a pipeline, and the outcomes and the mean coverage of its jobs that still count. */
export async function findPipelineTimesAndJobOutcomes(db: Db, id: number) {
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
    .select(['status', 'coverage', 'created_at', 'started_at', 'finished_at'])
    .select(['queued_duration', 'duration', 'upstream_job_id', 'project_id'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { pipeline, outcomes, coverage }
}

/** Makes others who lock or change the pipeline wait until the transaction ends; changes nothing. */
export async function lockPipelineRow(tx: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('pipelines')
    .set(({ ref }) => ({ updated_at: ref('updated_at') }))
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function updatePipeline(
  tx: Db,
  id: number,
  changes: Updateable<PipelineTable>,
): Promise<void> {
  await tx.updateTable('pipelines').set(changes).where('id', '=', id).execute()
}

/** Returns when the current jobs of a pipeline ran, in the order of their start. */
export function listJobRunPeriods(db: Db, pipeline_id: number) {
  return db
    .selectFrom('jobs')
    .select(['started_at', 'finished_at'])
    .where('pipeline_id', '=', pipeline_id)
    .where('retried', '=', false)
    .where('started_at', 'is not', null)
    .orderBy('started_at')
    .execute()
}
