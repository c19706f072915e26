import { whenever } from '../../../kernel/effect.ts'
import { pipelineChanged } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import type { Family } from '../../family.ts'
import { scanEndpoints } from './scan.routes.ts'
import { enqueueScanTasks, scanTasks } from './scan.tasks.ts'

export const scanFamily: Family = {
  endpoints: scanEndpoints,
  tasks: scanTasks,
  effects: [whenever(pipelineChanged, enqueueScanTasks)],
}
