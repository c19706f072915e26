import type { Family } from '../../family.ts'
import { emailEndpoints } from './email.routes.ts'

export const emailFamily: Family = {
  endpoints: emailEndpoints,
}
