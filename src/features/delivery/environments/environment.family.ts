import type { Family } from '../../family.ts'
import { environmentEndpoints } from './environment.routes.ts'
import { stopOverdue } from './stop-environment.ts'

export const environmentFamily: Family = {
  endpoints: environmentEndpoints,
  tasks: [stopOverdue],
}
