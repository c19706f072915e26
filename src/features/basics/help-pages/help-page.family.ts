import type { Family } from '../../family.ts'
import { helpPageEndpoints } from './help-page.routes.ts'

export const helpPageFamily: Family = { endpoints: helpPageEndpoints }
