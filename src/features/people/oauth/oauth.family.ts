import type { Family } from '../../family.ts'
import { applicationEndpoints } from './application.routes.ts'
import { oauthTasks } from './oauth.tasks.ts'

export const oauthFamily: Family = {
  endpoints: applicationEndpoints,
  tasks: oauthTasks,
}
