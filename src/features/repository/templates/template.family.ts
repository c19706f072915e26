import type { Family } from '../../family.ts'
import { templateEndpoints } from './template.routes.ts'

export const templateFamily: Family = { endpoints: templateEndpoints }
