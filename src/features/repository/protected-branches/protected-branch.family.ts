import type { Family } from '../../family.ts'
import { protectedBranchEndpoints } from './protected-branch.routes.ts'

export const protectedBranchFamily: Family = {
  endpoints: protectedBranchEndpoints,
}
