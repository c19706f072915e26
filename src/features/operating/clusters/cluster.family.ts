import { onEffect } from '../../../kernel/effect.ts'
import { predefinedVariablesRequested } from '../../delivery/pipeline-creation/predefined-variables-requested.ts'
import { environmentVariablesRequested } from '../../delivery/runners/environment-variables-requested.ts'
import type { Family } from '../../family.ts'
import { clusterEndpoints } from './cluster.routes.ts'
import { addClusterVariables, addKubernetesActiveVariable } from './cluster-variables.ts'

export const clusterFamily: Family = {
  endpoints: clusterEndpoints,
  effects: [
    onEffect(predefinedVariablesRequested, addKubernetesActiveVariable),
    onEffect(environmentVariablesRequested, addClusterVariables),
  ],
}
