import type { Updateable } from 'kysely'
import type { Db, PipelineTable } from '../../../db/db.ts'

/** The times of a pipeline, and the outcomes and the mean coverage of its jobs that still count. */
export async function findProgress(db: Db, id: number) {
  const current = db.selectFrom('jobs').where('pipeline_id', '=', id).where('retried', '=', false)
  const outcomes = await current
    .select(['status', 'allow_failure'])
    .groupBy(['status', 'allow_failure'])
    .execute()
  const { coverage } = await current
    .select(({ fn }) => fn.avg<number | null>('coverage').as('coverage'))
    .executeTakeFirstOrThrow()
  const pipeline = await db
    .selectFrom('pipelines')
    .select(['created_at', 'started_at', 'finished_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return { pipeline, outcomes, coverage }
}

export async function updatePipeline(
  tx: Db,
  id: number,
  changes: Updateable<PipelineTable>,
): Promise<void> {
  await tx.updateTable('pipelines').set(changes).where('id', '=', id).execute()
}
