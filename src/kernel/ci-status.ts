/** What a job or a pipeline can be in (docs/api/ci.md, "States"). */
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
