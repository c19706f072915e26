import type { Family } from '../../family.ts'
import { reviewerEndpoints } from './reviewer.routes.ts'

export const reviewerFamily: Family = {
  endpoints: reviewerEndpoints,
}
