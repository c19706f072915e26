import { whenever } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { referencesMove } from '../../repository/pushes/push.ts'
import { pipelineEndpoints } from './pipeline.routes.ts'
import { pipelineTasks } from './pipeline.tasks.ts'
import { askForPipelines } from './push-pipelines.ts'

export const pipelineFamily: Family = {
  endpoints: pipelineEndpoints,
  tasks: pipelineTasks,
  effects: [whenever(referencesMove, askForPipelines)],
}
