import type { Family } from '../../family.ts'
import { contributionEndpoints } from './contribution.routes.ts'

export const contributionFamily: Family = {
  endpoints: contributionEndpoints,
}
