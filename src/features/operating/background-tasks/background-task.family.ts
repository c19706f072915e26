import type { Family } from '../../family.ts'
import { backgroundTaskEndpoints } from './background-task.routes.ts'
import { taskMetricsEndpoints } from './task-metrics.routes.ts'

export const backgroundTaskFamily: Family = {
  endpoints: [...backgroundTaskEndpoints, ...taskMetricsEndpoints],
}
