// Retargets merge requests into a branch that is deleted after its own merge.

import { runTransaction } from '../../../db/run-transaction.ts'
import { branchRef } from '../../../git/names.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { Project } from '../../../subjects/project.ts'
import { insertSystemNotes } from '../../planning/issuables/issuable.ts'
import { issuableChangedEffect } from '../../planning/issuables/issuable-changed.ts'
import { enqueueAfterNewVersion } from '../merge-request-versions/after-new-version.ts'
import type { MergeRequest } from '../merge-requests/merge-request.ts'
import { listRequestsToRetarget, updateTargetBranch } from './merge.store.ts'

/**
 * Retargets a few open merge requests of the project: those into the source branch of a merged one are changed to its target
 * branch. Safe to repeat.
 */
export async function retargetMergeRequestsAfterMerge(
  { db, clock }: Instance,
  { source, request, user_id }: { source: Project; request: MergeRequest; user_id: number },
): Promise<void> {
  const { source_branch, target_branch, project_id } = request
  if (source.id !== project_id || !branchRef(target_branch)) return
  const found = await listRequestsToRetarget(db, { project_id, target_branch: source_branch })
  for (const { issuable_id: id } of found) {
    await runTransaction(db, async (tx) => {
      if (!(await updateTargetBranch(tx, id, { from: source_branch, to: target_branch }))) return
      const body = `retargeted the target branch to \`${target_branch}\`, because \`${source_branch}\` was deleted`
      const issuable = { id, project_id }
      await insertSystemNotes(tx, clock, { issuable, author_id: user_id, bodies: [body] })
      await enqueueAfterNewVersion(tx, clock, { merge_request_id: id, user_id, isRenewed: true })
      await issuableChangedEffect.run({
        ...{ tx, clock, project_id, issuable_id: id, user_id },
        kind: 'merge_request',
        action: 'update',
        changes: { target_branch: { previous: source_branch, current: target_branch } },
      })
    })
  }
}
