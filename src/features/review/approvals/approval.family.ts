import type { Family } from '../../family.ts'
import { approvalEndpoints } from './approval.routes.ts'

export const approvalFamily: Family = {
  endpoints: approvalEndpoints,
}
