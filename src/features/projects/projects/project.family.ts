import { onEffect } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { userRemovedEffect } from '../../people/users/user.tasks.ts'
import { archiveProjectEndpoints } from './archive-project.routes.ts'
import { describeRequest } from './describe-repository.ts'
import { projectEndpoints } from './project.routes.ts'
import { projectTasks } from './project.tasks.ts'
import { projectListEndpoints } from './project-list.routes.ts'
import { removePersonalProjects } from './remove-personal-projects.ts'
import { transferEndpoints } from './transfer.routes.ts'

export const projectFamily: Family = {
  endpoints: [
    ...projectListEndpoints,
    ...projectEndpoints,
    ...archiveProjectEndpoints,
    ...transferEndpoints,
  ],
  tasks: projectTasks,
  storageOwnerRequests: [describeRequest],
  effects: [onEffect(userRemovedEffect, removePersonalProjects)],
}
