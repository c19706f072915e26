import type { Family } from '../../family.ts'
import { followEndpoints } from './follow.routes.ts'

export const followFamily: Family = {
  endpoints: followEndpoints,
}
