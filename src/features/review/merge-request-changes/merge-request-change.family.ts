import { whenever } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { issuableChanged } from '../../planning/issuables/issuable-changed.ts'
import { pushLanded } from '../../repository/pushes/push-landed.ts'
import { pushReported } from '../../repository/pushes/push-reported.ts'
import { mergeRequestChangeEndpoints } from './merge-request-change.routes.ts'
import { reportRequestsToPusher } from './push-messages.ts'
import { syncMergeRequestRow } from './sync-merge-request-row.ts'
import { updateRequestsAfterPush } from './update-requests-after-push.ts'

export const mergeRequestChangeFamily: Family = {
  endpoints: mergeRequestChangeEndpoints,
  effects: [
    whenever(pushLanded, updateRequestsAfterPush),
    whenever(pushReported, reportRequestsToPusher),
    whenever(issuableChanged, syncMergeRequestRow),
  ],
}
