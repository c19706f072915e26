import type { CiStatus, Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'

export type PipelineChange = {
  tx: Db
  clock: Clock
  pipeline_id: number
  project_id: number
  status: CiStatus
  /** The status it had; null for one that has just been made. */
  before: CiStatus | null
  /** What became of jobs, in the order in which it did. */
  jobs: readonly { id: number; status: CiStatus }[]
}

/**
 * Runs when jobs of a pipeline have changed, or it was created: once in each transaction that changes one, whether or not
 * the status of the pipeline changes.
 */
export const pipelineChangedEffect = declareEffect<PipelineChange>('a pipeline has changed')
