import { whenever } from '../../../kernel/effect.ts'
import { pipelineBegins } from '../../delivery/pipelines/pipeline-begins.ts'
import type { Family } from '../../family.ts'
import { pushLanded } from '../../repository/pushes/push-landed.ts'
import { afterMergeTasks } from './after-merge.ts'
import { autoMergeTasks } from './auto-merge.ts'
import { completeMergeTasks } from './complete-merge.ts'
import { followPushes } from './follow-pushes.ts'
import { followRequestTasks } from './follow-request.ts'
import { forgetRequestTasks } from './forget-request.ts'
import { mergeEndpoints } from './merge.routes.ts'
import { mergeRequestEndpoints } from './merge-request.routes.ts'
import { checkRequestTasks } from './merge-request.tasks.ts'
import { otherListEndpoints } from './other-lists.routes.ts'
import { nameOpenRequests } from './request-pipeline.ts'

export const mergeRequestFamily: Family = {
  endpoints: [...mergeRequestEndpoints, ...mergeEndpoints, ...otherListEndpoints],
  tasks: [
    ...followRequestTasks,
    ...checkRequestTasks,
    ...completeMergeTasks,
    ...afterMergeTasks,
    ...autoMergeTasks,
    ...forgetRequestTasks,
  ],
  effects: [whenever(pushLanded, followPushes), whenever(pipelineBegins, nameOpenRequests)],
}
