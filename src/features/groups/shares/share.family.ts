import type { Family } from '../../family.ts'
import { shareEndpoints } from './share.routes.ts'

export const shareFamily: Family = {
  endpoints: shareEndpoints,
}
