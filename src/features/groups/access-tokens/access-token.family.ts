import type { Family } from '../../family.ts'
import { accessTokenEndpoints } from './access-token.routes.ts'
import { removeOrphanedTokenBotsTask } from './access-token.tasks.ts'

export const accessTokenFamily: Family = {
  endpoints: accessTokenEndpoints,
  tasks: [removeOrphanedTokenBotsTask],
}
