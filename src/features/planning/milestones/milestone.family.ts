import type { Family } from '../../family.ts'
import { milestoneEndpoints } from './milestone.routes.ts'

export const milestoneFamily: Family = { endpoints: milestoneEndpoints }
