import type { Family } from '../../family.ts'
import { tagEndpoints } from './tag.routes.ts'

export const tagFamily: Family = {
  endpoints: tagEndpoints,
}
