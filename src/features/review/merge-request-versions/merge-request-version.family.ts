import { onEffect } from '../../../kernel/effect.ts'
import { collectPipelineVariablesEffect } from '../../delivery/pipeline-creation/collect-pipeline-variables.ts'
import type { Family } from '../../family.ts'
import { userRemovedEffect } from '../../people/users/user.tasks.ts'
import { afterNewVersionTasks } from './after-new-version.ts'
import { removeMergeRequestsOfUser, requestRefTasks } from './delete-request-refs.ts'
import { mergeRequestDiffEndpoints } from './merge-request-diff.routes.ts'
import { mergeRequestPipelineEndpoints } from './merge-request-pipeline.routes.ts'
import { addOpenMergeRequestsVariable } from './request-pipeline.ts'

export const mergeRequestVersionFamily: Family = {
  endpoints: [...mergeRequestDiffEndpoints, ...mergeRequestPipelineEndpoints],
  tasks: [...afterNewVersionTasks, ...requestRefTasks],
  effects: [
    onEffect(userRemovedEffect, removeMergeRequestsOfUser),
    onEffect(collectPipelineVariablesEffect, addOpenMergeRequestsVariable),
  ],
}
