import { whenever } from '../../../kernel/effect.ts'
import { variablesPredefined } from '../../delivery/pipeline-creation/variables-predefined.ts'
import { jobDescribed } from '../../delivery/runners/job-described.ts'
import type { Family } from '../../family.ts'
import { clusterEndpoints } from './cluster.routes.ts'
import { addClusterFlag, addClusterVariables } from './cluster-variables.ts'

export const clusterFamily: Family = {
  endpoints: clusterEndpoints,
  effects: [
    whenever(variablesPredefined, addClusterFlag),
    whenever(jobDescribed, addClusterVariables),
  ],
}
