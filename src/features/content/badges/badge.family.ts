import type { Family } from '../../family.ts'
import { badgeEndpoints } from './badge.routes.ts'

export const badgeFamily: Family = {
  endpoints: badgeEndpoints,
}
