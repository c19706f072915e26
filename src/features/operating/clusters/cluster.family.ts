import { onEffect } from '../../../kernel/effect.ts'
import { collectPredefinedVariablesEffect } from '../../delivery/pipeline-creation/collect-predefined-variables.ts'
import { collectEnvironmentVariablesEffect } from '../../delivery/runners/collect-environment-variables.ts'
import type { Family } from '../../family.ts'
import { clusterEndpoints } from './cluster.routes.ts'
import { addClusterVariables, addKubernetesActiveVariable } from './cluster-variables.ts'

export const clusterFamily: Family = {
  endpoints: clusterEndpoints,
  effects: [
    onEffect(collectPredefinedVariablesEffect, addKubernetesActiveVariable),
    onEffect(collectEnvironmentVariablesEffect, addClusterVariables),
  ],
}
