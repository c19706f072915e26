import type { Family } from '../../family.ts'
import { deploymentApprovalEndpoints } from './deployment-approval.routes.ts'
import { environmentEndpoints } from './environment.routes.ts'
import { stopOverdueEnvironmentsTask } from './stop-environment.ts'

export const environmentFamily: Family = {
  endpoints: [...environmentEndpoints, ...deploymentApprovalEndpoints],
  tasks: [stopOverdueEnvironmentsTask],
}
