import type { Family } from '../../family.ts'
import { variableEndpoints } from './variable.routes.ts'

export const variableFamily: Family = {
  endpoints: variableEndpoints,
}
