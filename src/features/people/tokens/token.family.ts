import type { Family } from '../../family.ts'
import { impersonationTokenEndpoints } from './impersonation-token.routes.ts'
import { tokenEndpoints } from './token.routes.ts'

export const tokenFamily: Family = {
  endpoints: [...tokenEndpoints, ...impersonationTokenEndpoints],
}
