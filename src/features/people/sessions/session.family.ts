import type { Family } from '../../family.ts'
import { userSessionEndpoints } from './session.routes.ts'
import { sessionTasks } from './session.tasks.ts'

export const sessionFamily: Family = {
  endpoints: userSessionEndpoints,
  tasks: sessionTasks,
}
