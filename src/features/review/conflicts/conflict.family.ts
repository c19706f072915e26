import type { Family } from '../../family.ts'
import { conflictEndpoints } from './conflict.routes.ts'

export const conflictFamily: Family = {
  endpoints: conflictEndpoints,
}
