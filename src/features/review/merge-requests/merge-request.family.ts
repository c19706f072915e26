import { whenever } from '../../../kernel/effect.ts'
import { pipelineBegins } from '../../delivery/pipelines/pipeline-begins.ts'
import { pipelineChanged } from '../../delivery/pipelines/pipeline-changed.ts'
import type { Family } from '../../family.ts'
import { userRemoved } from '../../people/users/user.tasks.ts'
import { issuableChanged } from '../../planning/issuables/issuable-changed.ts'
import { pushLanded } from '../../repository/pushes/push-landed.ts'
import { pushReported } from '../../repository/pushes/push-reported.ts'
import { afterMergeTasks } from './after-merge.ts'
import { afterNewVersionTasks } from './after-new-version.ts'
import { approvalEndpoints } from './approval.routes.ts'
import { autoMergeTasks, continueAutoMerges } from './auto-merge.ts'
import { completeMergeTasks } from './complete-merge.ts'
import { removeRequestsOf, requestRefTasks } from './delete-request-refs.ts'
import { mergeEndpoints } from './merge.routes.ts'
import { mergeRequestEndpoints } from './merge-request.routes.ts'
import { checkRequestTasks } from './merge-request.tasks.ts'
import { mergeRequestChangeEndpoints } from './merge-request-change.routes.ts'
import { mergeRequestDiffEndpoints } from './merge-request-diff.routes.ts'
import { mergeRequestListEndpoints } from './merge-request-list.routes.ts'
import { mergeRequestPipelineEndpoints } from './merge-request-pipeline.routes.ts'
import { otherListEndpoints } from './other-lists.routes.ts'
import { reportRequestsToPusher } from './push-messages.ts'
import { quickActionTasks } from './quick-actions.ts'
import { rebaseTasks } from './rebase-request.ts'
import { relatedRequestEndpoints } from './related-requests.routes.ts'
import { addOpenRequestsVariable } from './request-pipeline.ts'
import { syncMergeRequestRow } from './sync-merge-request-row.ts'
import { updateRequestsAfterPush } from './update-requests-after-push.ts'

export const mergeRequestFamily: Family = {
  endpoints: [
    ...mergeRequestListEndpoints,
    ...mergeRequestEndpoints,
    ...mergeRequestChangeEndpoints,
    ...mergeRequestDiffEndpoints,
    ...approvalEndpoints,
    ...mergeRequestPipelineEndpoints,
    ...mergeEndpoints,
    ...relatedRequestEndpoints,
    ...otherListEndpoints,
  ],
  tasks: [
    ...afterNewVersionTasks,
    ...checkRequestTasks,
    ...completeMergeTasks,
    ...afterMergeTasks,
    ...autoMergeTasks,
    ...requestRefTasks,
    ...rebaseTasks,
    ...quickActionTasks,
  ],
  effects: [
    whenever(pushLanded, updateRequestsAfterPush),
    whenever(userRemoved, removeRequestsOf),
    whenever(pipelineBegins, addOpenRequestsVariable),
    whenever(pipelineChanged, continueAutoMerges),
    whenever(pushReported, reportRequestsToPusher),
    whenever(issuableChanged, syncMergeRequestRow),
  ],
}
