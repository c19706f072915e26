import type { Family } from '../../family.ts'
import { groupProtectedBranchEndpoints } from './group-protected-branch.routes.ts'
import { protectedBranchEndpoints } from './protected-branch.routes.ts'

export const protectedBranchFamily: Family = {
  endpoints: [...protectedBranchEndpoints, ...groupProtectedBranchEndpoints],
}
