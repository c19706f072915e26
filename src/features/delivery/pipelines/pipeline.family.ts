import { whenever } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { pushLanded } from '../../repository/pushes/push-landed.ts'
import { pipelineEndpoints } from './pipeline.routes.ts'
import { pipelineTasks } from './pipeline.tasks.ts'
import { startPushPipelines } from './push-pipelines.ts'

export const pipelineFamily: Family = {
  endpoints: pipelineEndpoints,
  tasks: pipelineTasks,
  effects: [whenever(pushLanded, startPushPipelines)],
}
