import type { Family } from '../../family.ts'
import { contributorEndpoints } from './contributor.routes.ts'

export const contributorFamily: Family = {
  endpoints: contributorEndpoints,
}
