import { onEffect } from '../../../kernel/effect.ts'
import { pipelineChangedEffect } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import type { Family } from '../../family.ts'
import { projectEmptiedEffect } from '../../projects/projects/project.tasks.ts'
import { pushLandedEffect } from '../../repository/pushes/push-landed.ts'
import { dependencyEndpoints } from './dependency.routes.ts'
import {
  deleteDependencyLists,
  dependencyTasks,
  enqueueDependencyList,
  updateDependencyListAfterPush,
} from './dependency.tasks.ts'

export const dependencyFamily: Family = {
  endpoints: dependencyEndpoints,
  tasks: dependencyTasks,
  effects: [
    onEffect(pipelineChangedEffect, enqueueDependencyList),
    onEffect(pushLandedEffect, updateDependencyListAfterPush),
    onEffect(projectEmptiedEffect, deleteDependencyLists),
  ],
}
