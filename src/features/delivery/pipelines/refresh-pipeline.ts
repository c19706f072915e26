import type { Db } from '../../../db/db.ts'
import { finalStatuses, pipelineStatus } from './pipeline-status.ts'

/** Makes others who change the jobs of the pipeline wait until the transaction ends. */
export async function lockPipeline(
  tx: Db,
  { id, now }: { id: number; now: string },
): Promise<void> {
  await tx.updateTable('pipelines').set({ updated_at: now }).where('id', '=', id).execute()
}

/** Brings status, times and figures of a locked pipeline in line with its jobs. */
export async function refreshPipeline(
  tx: Db,
  { id, now }: { id: number; now: string },
): Promise<void> {
  const current = tx.selectFrom('jobs').where('pipeline_id', '=', id).where('retried', '=', false)
  const outcomes = await current
    .select(['status', 'allow_failure'])
    .groupBy(['status', 'allow_failure'])
    .execute()
  const { coverage } = await current
    .select(({ fn }) => fn.avg<number | null>('coverage').as('coverage'))
    .executeTakeFirstOrThrow()
  const pipeline = await tx
    .selectFrom('pipelines')
    .select(['created_at', 'started_at', 'finished_at'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const status = pipelineStatus(outcomes)
  const isFinal = finalStatuses.includes(status)
  const started_at = pipeline.started_at ?? (status === 'running' ? now : null)
  const finished_at = isFinal ? now : null
  await tx
    .updateTable('pipelines')
    .set({
      status,
      coverage,
      started_at,
      finished_at,
      queued_duration: started_at === null ? null : secondsBetween(pipeline.created_at, started_at),
      duration: started_at && finished_at ? secondsBetween(started_at, finished_at) : null,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()
}

function secondsBetween(from: string, to: string): number {
  return Math.floor((Date.parse(to) - Date.parse(from)) / 1000)
}
