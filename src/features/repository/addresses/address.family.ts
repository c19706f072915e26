import type { Family } from '../../family.ts'
import { addressEndpoints } from './address.routes.ts'

export const addressFamily: Family = {
  endpoints: addressEndpoints,
}
