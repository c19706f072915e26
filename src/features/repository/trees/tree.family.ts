import type { Family } from '../../family.ts'
import { treeEndpoints } from './tree.routes.ts'

export const treeFamily: Family = {
  endpoints: treeEndpoints,
}
