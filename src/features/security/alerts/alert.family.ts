import type { Family } from '../../family.ts'
import { alertEndpoints } from './alert.routes.ts'
import { alertTasks } from './alert.tasks.ts'

export const alertFamily: Family = {
  endpoints: alertEndpoints,
  tasks: alertTasks,
}
