import type { Family } from '../../family.ts'
import { preferencesEndpoints } from './preferences.routes.ts'
import { statusEndpoints } from './status.routes.ts'
import { statusTasks } from './status.tasks.ts'

export const profileFamily: Family = {
  endpoints: [...statusEndpoints, ...preferencesEndpoints],
  tasks: statusTasks,
}
