import type { Family } from '../../family.ts'
import { metricImageEndpoints } from './metric-image.routes.ts'

export const metricImageFamily: Family = {
  endpoints: metricImageEndpoints,
}
