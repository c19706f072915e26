import type { CiStatus, Db } from '../../../db/db.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { declareEffect } from '../../../kernel/effect.ts'

export type PipelineChange = {
  tx: Db
  clock: Clock
  pipeline_id: number
  project_id: number
  status: CiStatus
  /** The status before the change; null for a new pipeline. */
  before: CiStatus | null
  /** The transitions of jobs, in the order in which they happened. */
  jobs: readonly { id: number; status: CiStatus }[]
}

/**
 * Runs once in each transaction that creates a pipeline or changes its jobs, whether or not the status of the
 * pipeline changes.
 */
export const pipelineChangedEffect = declareEffect<PipelineChange>('a pipeline has changed')
