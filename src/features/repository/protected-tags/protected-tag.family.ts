import type { Family } from '../../family.ts'
import { protectedTagEndpoints } from './protected-tag.routes.ts'

export const protectedTagFamily: Family = {
  endpoints: protectedTagEndpoints,
}
