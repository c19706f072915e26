import type { Family } from '../../family.ts'
import { forkEndpoints } from './fork.routes.ts'

export const forkFamily: Family = {
  endpoints: forkEndpoints,
}
