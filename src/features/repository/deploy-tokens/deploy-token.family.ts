import type { Family } from '../../family.ts'
import { deployTokenEndpoints } from './deploy-token.routes.ts'

export const deployTokenFamily: Family = {
  endpoints: deployTokenEndpoints,
}
