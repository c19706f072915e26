import type { Family } from '../../family.ts'
import { comparisonEndpoints } from './comparison.routes.ts'

export const comparisonFamily: Family = {
  endpoints: comparisonEndpoints,
}
