import type { Family } from '../../family.ts'
import { jobTokenScopeEndpoints } from './job-token-scope.routes.ts'

export const jobTokenScopeFamily: Family = {
  endpoints: jobTokenScopeEndpoints,
}
