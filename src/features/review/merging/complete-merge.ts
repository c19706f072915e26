// The steps around the move of a target: recorded before it, completed or reverted after it.

import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { isFastForward } from '../../../git/fast-forward.ts'
import { branchRef, type Oid } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { projectRepository } from '../../../subjects/project.ts'
import { cancelWaitingTask, defineTask, enqueue } from '../../../tasks/task.ts'
import {
  insertResourceEvents,
  markTodosDoneOfIssuable,
  transitionIssuableState,
} from '../../planning/issuables/issuable.ts'
import { issuableChangedEffect } from '../../planning/issuables/issuable-changed.ts'
import { findRequestWithProjects, type MergeRequest } from '../merge-requests/merge-request.ts'
import { afterMergeSteps } from './after-merge.ts'
import { lockForMerge, markMerged, unlockMerge } from './merge.store.ts'

type Merging = Exclude<MergeRequest['merging'], null>

const finishMergeName = { name: 'finish-merge', lane: 'events' } as const

/**
 * Locks an open merge request and stores the commit that its target is about to move to, with a task that finishes the
 * merge. Returns false if it is not open.
 */
export function lockRequestForMerge(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  id: number,
  merging: Merging,
): Promise<boolean> {
  return runTransaction(db, async (tx) => {
    if (!(await lockForMerge(tx, id, merging))) return false
    await enqueue(tx, clock, {
      task: finishMergeName,
      key: String(id),
      payload: { merge_request_id: id },
      delay_ms: limits.merge_requests.merging_ms_max,
    })
    return true
  })
}

/** Unlocks a merge request whose target has not moved. */
export function unlockRequestAfterAbortedMerge(db: Db, id: number, token: string): Promise<void> {
  return runTransaction(db, async (tx) => {
    if (!(await unlockMerge(tx, id, token))) return
    await cancelWaitingTask(tx, { task: finishMergeName, key: String(id) })
  })
}

/** The commits of a merge, and the user who merged. */
type Done = Pick<Merging, 'merge_commit_sha' | 'squash_commit_sha' | 'user_id'>

/**
 * Marks the merge request as merged and runs the after-merge steps. Safe to repeat: if several callers find that the target
 * has moved, one of them marks it (docs/api/merge-requests.md, "After a merge").
 */
export async function completeMerge(uses: Instance, id: number, done: Done): Promise<void> {
  const { db, clock } = uses
  const isMade = await runTransaction(db, async (tx) => {
    const now = timestamp(clock)
    const issuable = await transitionIssuableState(tx, id, {
      from: ['opened', 'locked'],
      to: 'merged',
      now,
    })
    await cancelWaitingTask(tx, { task: finishMergeName, key: String(id) })
    if (!issuable) return false
    const { user_id } = done
    await markMerged(tx, id, { ...done, now })
    await insertResourceEvents(tx, clock, {
      issuable_id: id,
      user_id,
      events: [{ kind: 'state', action: 'merged' }],
    })
    await markTodosDoneOfIssuable(tx, clock, { issuable_id: id, user_id })
    await afterMergeSteps.enqueue(tx, clock, id)
    const { project_id, kind } = issuable
    const change = { tx, clock, project_id, issuable_id: id, kind, user_id }
    const changes = { state_id: { previous: 1, current: 3 } }
    await issuableChangedEffect.run({ ...change, action: 'merge', changes })
    return true
  })
  if (isMade) await afterMergeSteps.run(uses, id)
}

/**
 * Finishes a merge whose server died: completes it if the target contains the recorded tip, otherwise aborts
 * it. If the merge is still running, that is safe: it moves the target only from the value that it knows.
 */
const finishMerge = defineTask({
  ...finishMergeName,
  async run(uses: Instance, { merge_request_id: id }: { merge_request_id: number }) {
    const whole = await findRequestWithProjects(uses.db, id)
    const merging = whole?.request.merging
    if (!whole || !merging) return
    const repository = projectRepository(uses.config, whole.target)
    const ref = branchRef(whole.request.target_branch)
    const tip = ref && readRef(repository, ref)
    const move = tip && { oldOid: merging.tip as Oid, newOid: tip }
    const hasIt = move && (await isFastForward(uses.git.git, repository, undefined, move))
    if (hasIt) await completeMerge(uses, id, merging)
    else await unlockRequestAfterAbortedMerge(uses.db, id, merging.id)
  },
})

export const completeMergeTasks = [finishMerge]
