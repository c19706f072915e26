import type { Family } from '../../family.ts'
import { protectedEnvironmentEndpoints } from './protected-environment.routes.ts'

export const protectedEnvironmentFamily: Family = {
  endpoints: protectedEnvironmentEndpoints,
}
