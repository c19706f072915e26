import { onEffect } from '../../../kernel/effect.ts'
import type { Family } from '../../family.ts'
import { issuableChangedEffect } from '../../planning/issuables/issuable-changed.ts'
import { pushLandedEffect } from '../../repository/pushes/push-landed.ts'
import { pushMessagesRequested } from '../../repository/pushes/push-messages-requested.ts'
import { mergeRequestChangeEndpoints } from './merge-request-change.routes.ts'
import { addMergeRequestMessagesToPush } from './push-messages.ts'
import { syncMergeRequestRow } from './sync-merge-request-row.ts'
import { updateRequestsAfterPush } from './update-requests-after-push.ts'

export const mergeRequestChangeFamily: Family = {
  endpoints: mergeRequestChangeEndpoints,
  effects: [
    onEffect(pushLandedEffect, updateRequestsAfterPush),
    onEffect(pushMessagesRequested, addMergeRequestMessagesToPush),
    onEffect(issuableChangedEffect, syncMergeRequestRow),
  ],
}
