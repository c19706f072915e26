import type { Family } from '../../family.ts'
import { pipelineLicenseEndpoints } from './pipeline-license.routes.ts'

export const pipelineLicenseFamily: Family = { endpoints: pipelineLicenseEndpoints }
