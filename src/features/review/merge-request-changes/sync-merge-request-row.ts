// Updates the columns of a merge request that repeat those of its issuable, in the same transaction.
import type { IssuableChange } from '../../planning/issuables/issuable-changed.ts'
import { enqueueAfterNewVersion } from '../merge-request-versions/after-new-version.ts'
import { disableAutoMerge } from '../merge-request-versions/disable-auto-merge.ts'
import { isDraftTitle } from '../merge-requests/draft.ts'
import { type MergeRequestUpdates, updateMergeRequest } from '../merge-requests/merge-request.ts'
import { openDuplicateRefusal } from './create-request.ts'
import {
  findIssuableStateAndTitle,
  findMergeRequest,
  findOpenDuplicateIid,
} from './merge-request-change.store.ts'

/**
 * Copies the draft and open state of a changed issuable to its row of merge_requests; quick actions change them too.
 * Disables auto-merge of a closed one. Throws 409 if it is reopened while another merge request has its branches.
 */
export async function syncMergeRequestRow(change: IssuableChange): Promise<void> {
  const { tx, clock, kind, issuable_id: id, project_id, user_id, action } = change
  if (kind !== 'merge_request' || action === 'merge' || action === 'open') return
  const shared = await findIssuableStateAndTitle(tx, id)
  const request = await findMergeRequest(tx, id)
  if (!shared || !request) return
  const is_open = shared.state === 'opened' || shared.state === 'locked'
  const draft = isDraftTitle(shared.title)
  const updates: MergeRequestUpdates = {}
  if (draft !== request.draft) updates.draft = draft
  if (is_open !== request.is_open) {
    const duplicate = is_open ? await findOpenDuplicateIid(tx, request) : undefined
    if (duplicate !== undefined) throw openDuplicateRefusal(duplicate)
    const issuable = { id, project_id }
    if (!is_open)
      await disableAutoMerge(tx, clock, {
        issuable,
        user_id,
        reason: 'the merge request was closed',
      })
    updates.is_open = is_open
    updates.merge_error = null
    if (is_open) await enqueueAfterNewVersion(tx, clock, { merge_request_id: id, user_id })
  }
  if (Object.keys(updates).length > 0) await updateMergeRequest(tx, id, updates)
}
