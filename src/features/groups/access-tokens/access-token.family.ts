import type { Family } from '../../family.ts'
import { accessTokenEndpoints } from './access-token.routes.ts'
import { removeOrphanedBotsTask } from './access-token.tasks.ts'

export const accessTokenFamily: Family = {
  endpoints: accessTokenEndpoints,
  tasks: [removeOrphanedBotsTask],
}
