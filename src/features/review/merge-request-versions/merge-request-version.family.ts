import { whenever } from '../../../kernel/effect.ts'
import { pipelineBegins } from '../../delivery/pipeline-creation/pipeline-begins.ts'
import type { Family } from '../../family.ts'
import { userRemoved } from '../../people/users/user.tasks.ts'
import { afterNewVersionTasks } from './after-new-version.ts'
import { removeRequestsOf, requestRefTasks } from './delete-request-refs.ts'
import { mergeRequestDiffEndpoints } from './merge-request-diff.routes.ts'
import { mergeRequestPipelineEndpoints } from './merge-request-pipeline.routes.ts'
import { addOpenRequestsVariable } from './request-pipeline.ts'

export const mergeRequestVersionFamily: Family = {
  endpoints: [...mergeRequestDiffEndpoints, ...mergeRequestPipelineEndpoints],
  tasks: [...afterNewVersionTasks, ...requestRefTasks],
  effects: [
    whenever(userRemoved, removeRequestsOf),
    whenever(pipelineBegins, addOpenRequestsVariable),
  ],
}
