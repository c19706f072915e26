import type { Family } from '../../family.ts'
import { commitStatusEndpoints } from './commit-status.routes.ts'

export const commitStatusFamily: Family = {
  endpoints: commitStatusEndpoints,
}
