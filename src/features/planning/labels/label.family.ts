import type { Family } from '../../family.ts'
import { labelEndpoints } from './label.routes.ts'

export const labelFamily: Family = { endpoints: labelEndpoints }
