import type { Family } from '../../family.ts'
import { archiveEndpoints } from './archive.routes.ts'

export const archiveFamily: Family = {
  endpoints: archiveEndpoints,
}
