import type { Family } from '../../family.ts'
import { namespaceEndpoints } from './namespace.routes.ts'

export const namespaceFamily: Family = {
  endpoints: namespaceEndpoints,
}
