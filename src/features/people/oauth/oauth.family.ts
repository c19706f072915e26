import type { Family } from '../../family.ts'
import { applicationEndpoints } from './application.routes.ts'
import { oauthTasks } from './oauth.tasks.ts'
import { ownApplicationEndpoints } from './own-application.routes.ts'

export const oauthFamily: Family = {
  endpoints: [...applicationEndpoints, ...ownApplicationEndpoints],
  tasks: oauthTasks,
}
