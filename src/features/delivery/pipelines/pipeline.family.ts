import type { Family } from '../../family.ts'
import { pipelineEndpoints } from './pipeline.routes.ts'
import { pipelineTasks } from './pipeline.tasks.ts'

export const pipelineFamily: Family = {
  endpoints: pipelineEndpoints,
  tasks: pipelineTasks,
}
