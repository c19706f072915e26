/** The statuses of jobs and pipelines (docs/api/ci.md, "States"). */
export const ciStatuses = [
  'created',
  'waiting_for_resource',
  'preparing',
  'pending',
  'running',
  'success',
  'failed',
  'canceled',
  'skipped',
  'manual',
  'scheduled',
] as const
export type CiStatus = (typeof ciStatuses)[number]
