import type { Family } from '../../family.ts'
import { lintEndpoints } from './lint.routes.ts'

export const lintFamily: Family = {
  endpoints: lintEndpoints,
}
