import { onEffect } from '../../../kernel/effect.ts'
import { pipelineChangedEffect } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import type { Family } from '../../family.ts'
import { projectRemovedEffect } from '../../projects/projects/project.tasks.ts'
import { pagesEndpoints } from './pages.routes.ts'
import { enqueuePagesSiteRemoval, enqueueSitePublishing, pagesTasks } from './pages.tasks.ts'

export const pagesFamily: Family = {
  endpoints: pagesEndpoints,
  tasks: pagesTasks,
  effects: [
    onEffect(pipelineChangedEffect, enqueueSitePublishing),
    onEffect(projectRemovedEffect, enqueuePagesSiteRemoval),
  ],
}
