import type { Family } from '../../family.ts'
import { starEndpoints } from './star.routes.ts'

export const starFamily: Family = {
  endpoints: starEndpoints,
}
