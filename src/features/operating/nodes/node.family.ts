import type { Family } from '../../family.ts'
import { nodeEndpoints } from './node.routes.ts'

export const nodeFamily: Family = {
  endpoints: nodeEndpoints,
}
