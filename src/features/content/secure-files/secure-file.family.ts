import type { Family } from '../../family.ts'
import { secureFileEndpoints } from './secure-file.routes.ts'

export const secureFileFamily: Family = {
  endpoints: secureFileEndpoints,
}
