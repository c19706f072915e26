import { onEffect } from '../../../kernel/effect.ts'
import { pipelineChangedEffect } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import type { Family } from '../../family.ts'
import { scanEndpoints } from './scan.routes.ts'
import { enqueueScanTasks, scanTasks } from './scan.tasks.ts'

export const scanFamily: Family = {
  endpoints: scanEndpoints,
  tasks: scanTasks,
  effects: [onEffect(pipelineChangedEffect, enqueueScanTasks)],
}
