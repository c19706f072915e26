import { whenever } from '../../../kernel/effect.ts'
import { pipelineChanged } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import type { Family } from '../../family.ts'
import { projectEmptied } from '../../projects/projects/project.tasks.ts'
import { dependencyEndpoints } from './dependency.routes.ts'
import {
  deleteDependencyLists,
  dependencyTasks,
  enqueueDependencyList,
} from './dependency.tasks.ts'

export const dependencyFamily: Family = {
  endpoints: dependencyEndpoints,
  tasks: dependencyTasks,
  effects: [
    whenever(pipelineChanged, enqueueDependencyList),
    whenever(projectEmptied, deleteDependencyLists),
  ],
}
