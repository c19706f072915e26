import type { Family } from '../../family.ts'
import { resourceGroupTasks } from './assign-resource.ts'
import { resourceGroupEndpoints } from './resource-group.routes.ts'

export const resourceGroupFamily: Family = {
  endpoints: resourceGroupEndpoints,
  tasks: resourceGroupTasks,
}
