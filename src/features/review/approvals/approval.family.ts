import type { Family } from '../../family.ts'
import { approvalEndpoints } from './approval.routes.ts'
import { approvalRuleEndpoints } from './approval-rule.routes.ts'

export const approvalFamily: Family = {
  endpoints: [...approvalEndpoints, ...approvalRuleEndpoints],
}
