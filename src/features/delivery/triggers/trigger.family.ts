import type { Family } from '../../family.ts'
import { triggerEndpoints } from './trigger.routes.ts'
import { triggerPipelineEndpoints } from './trigger-pipeline.routes.ts'

export const triggerFamily: Family = {
  endpoints: [...triggerEndpoints, ...triggerPipelineEndpoints],
}
