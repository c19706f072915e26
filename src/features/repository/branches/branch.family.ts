import type { Family } from '../../family.ts'
import { branchEndpoints } from './branch.routes.ts'
import { branchTasks } from './branch.tasks.ts'

export const branchFamily: Family = {
  endpoints: branchEndpoints,
  tasks: branchTasks,
}
