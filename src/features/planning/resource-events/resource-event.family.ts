import type { Family } from '../../family.ts'
import { resourceEventEndpoints } from './resource-event.routes.ts'

export const resourceEventFamily: Family = { endpoints: resourceEventEndpoints }
