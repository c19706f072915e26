import { whenever } from '../../../kernel/effect.ts'
import { pipelineChanged } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import type { Family } from '../../family.ts'
import { projectRemoved } from '../../projects/projects/project.tasks.ts'
import { pagesEndpoints } from './pages.routes.ts'
import { enqueueSitePublishing, pagesTasks, removeSite } from './pages.tasks.ts'

export const pagesFamily: Family = {
  endpoints: pagesEndpoints,
  tasks: pagesTasks,
  effects: [whenever(pipelineChanged, enqueueSitePublishing), whenever(projectRemoved, removeSite)],
}
