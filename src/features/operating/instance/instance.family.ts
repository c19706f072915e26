import type { Family } from '../../family.ts'
import { instanceEndpoints } from './instance.routes.ts'

export const instanceFamily: Family = {
  endpoints: instanceEndpoints,
}
