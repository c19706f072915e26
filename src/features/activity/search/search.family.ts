import type { Family } from '../../family.ts'
import { quickSearchEndpoints } from './quick-search.routes.ts'
import { searchEndpoints } from './search.routes.ts'

export const searchFamily: Family = {
  endpoints: [...searchEndpoints, ...quickSearchEndpoints],
}
