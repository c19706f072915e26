import type { Family } from '../../family.ts'
import { deployKeyEndpoints } from './deploy-key.routes.ts'

export const deployKeyFamily: Family = {
  endpoints: deployKeyEndpoints,
}
