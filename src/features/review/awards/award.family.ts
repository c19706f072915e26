import type { Family } from '../../family.ts'
import { awardEndpoints } from './award.routes.ts'

export const awardFamily: Family = { endpoints: awardEndpoints }
