import type { CiStatus } from '../../../db/db.ts'

/** Jobs of a pipeline that are alike; how many does not matter. */
export type JobOutcome = { status: CiStatus; allow_failure: boolean }

export const finalStatuses: readonly CiStatus[] = ['success', 'failed', 'canceled', 'skipped']

/**
 * The status of a pipeline, or of a stage, from those of its jobs without retried ones: the first line that
 * fits (docs/api/ci.md, "State of a pipeline"). A job that may fail and did counts as one that succeeded.
 * One that may fail and waits for somebody does not count.
 */
export function pipelineStatus(jobs: readonly JobOutcome[]): CiStatus {
  const found = new Set(jobs.map(kindOf))
  const only = (...kinds: Kind[]) => [...found].every((kind) => kinds.includes(kind))
  const any = (...kinds: Kind[]) => kinds.some((kind) => found.has(kind))
  if (found.size === 0) return 'created'
  if (only('skipped', 'ignored')) return 'skipped'
  if (only('success', 'skipped', 'warning', 'ignored')) return 'success'
  if (only('created', 'warning', 'ignored')) return 'created'
  if (only('preparing', 'created', 'warning', 'ignored')) return 'preparing'
  if (only('canceled', 'success', 'skipped', 'warning', 'ignored')) return 'canceled'
  if (only('pending', 'created', 'skipped', 'warning', 'ignored')) return 'pending'
  if (any('running', 'pending')) return 'running'
  if (any('waiting_for_resource')) return 'waiting_for_resource'
  if (any('manual')) return 'manual'
  if (any('scheduled')) return 'scheduled'
  if (any('preparing')) return 'preparing'
  return any('created') ? 'running' : 'failed'
}

type Kind = CiStatus | 'warning' | 'ignored'

function kindOf({ status, allow_failure }: JobOutcome): Kind {
  if (!allow_failure) return status
  if (status === 'failed' || status === 'canceled') return 'warning'
  return status === 'manual' ? 'ignored' : status
}
