import type { Family } from '../../family.ts'
import { searchEndpoints } from './search.routes.ts'

export const searchFamily: Family = {
  endpoints: searchEndpoints,
}
