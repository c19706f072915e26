import { NoResultError, type Updateable } from 'kysely'
import type { Db, PipelineTable } from '../../../db/db.ts'

/** Returns the times of a pipeline, and the outcomes and the average coverage of its jobs without retried ones. */
export async function findPipelineTimesAndJobOutcomes(db: Db, id: number) {
  const byOutcome = db
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
  // A pipeline without jobs has one row without an outcome.
  const rows = await db
    .selectFrom('pipelines')
    .leftJoin(byOutcome.as('outcome'), (join) => join.onTrue())
    .select(['pipelines.status', 'pipelines.coverage', 'pipelines.created_at'])
    .select(['pipelines.started_at', 'pipelines.finished_at', 'pipelines.queued_duration'])
    .select(['pipelines.duration', 'pipelines.upstream_job_id', 'pipelines.project_id'])
    .select(['outcome.status as outcome_status', 'outcome.allow_failure'])
    .select(['outcome.coverage as outcome_coverage', 'outcome.covered'])
    .where('pipelines.id', '=', id)
    .execute()
  const [pipeline] = rows
  if (!pipeline) throw new NoResultError(byOutcome.toOperationNode())
  const outcomes = rows.flatMap(
    ({ outcome_status: status, outcome_coverage: coverage, allow_failure, covered }) =>
      status === null || allow_failure === null
        ? []
        : [{ status, allow_failure, coverage, covered }],
  )
  const covered = outcomes.reduce((sum, outcome) => sum + Number(outcome.covered), 0)
  const sum = outcomes.reduce((sum, { coverage }) => sum + (coverage ?? 0), 0)
  const coverage = covered === 0 ? null : sum / covered
  return { pipeline, outcomes, coverage }
}

/** Locks the row of a pipeline: other transactions that lock or change it wait until this one ends. Changes nothing. */
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
