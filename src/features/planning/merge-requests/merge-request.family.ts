import { whenever } from '../../../kernel/effect.ts'
import { pipelineBegins } from '../../delivery/pipelines/pipeline-begins.ts'
import { pipelineChanged } from '../../delivery/pipelines/pipeline-changed.ts'
import type { Family } from '../../family.ts'
import { userRemoved } from '../../people/users/user.tasks.ts'
import { pushAccepted } from '../../repository/pushes/push-accepted.ts'
import { pushLanded } from '../../repository/pushes/push-landed.ts'
import { issuableChanged } from '../issuables/issuable-changed.ts'
import { afterMergeTasks } from './after-merge.ts'
import { autoMergeTasks, followPipeline } from './auto-merge.ts'
import { completeMergeTasks } from './complete-merge.ts'
import { followPushes } from './follow-pushes.ts'
import { followRequestTasks } from './follow-request.ts'
import { forgetRequestTasks, removeRequestsOf } from './forget-request.ts'
import { keepInLine } from './keep-in-line.ts'

import { mergeEndpoints } from './merge.routes.ts'
import { mergeRequestEndpoints } from './merge-request.routes.ts'
import { checkRequestTasks } from './merge-request.tasks.ts'
import { mergeRequestActionEndpoints } from './merge-request-action.routes.ts'
import { mergeRequestDiffEndpoints } from './merge-request-diff.routes.ts'
import { otherListEndpoints } from './other-lists.routes.ts'
import { tellOfRequests } from './push-messages.ts'
import { quickActionTasks } from './quick-actions.ts'
import { rebaseTasks } from './rebase-request.ts'
import { relatedRequestEndpoints } from './related-requests.routes.ts'
import { nameOpenRequests } from './request-pipeline.ts'

export const mergeRequestFamily: Family = {
  endpoints: [
    ...mergeRequestEndpoints,
    ...mergeRequestDiffEndpoints,
    ...mergeRequestActionEndpoints,
    ...mergeEndpoints,
    ...relatedRequestEndpoints,
    ...otherListEndpoints,
  ],
  tasks: [
    ...followRequestTasks,
    ...checkRequestTasks,
    ...completeMergeTasks,
    ...afterMergeTasks,
    ...autoMergeTasks,
    ...forgetRequestTasks,
    ...rebaseTasks,
    ...quickActionTasks,
  ],
  effects: [
    whenever(pushLanded, followPushes),
    whenever(userRemoved, removeRequestsOf),
    whenever(pipelineBegins, nameOpenRequests),
    whenever(pipelineChanged, followPipeline),
    whenever(pushAccepted, tellOfRequests),
    whenever(issuableChanged, keepInLine),
  ],
}
