// Rebases the source of a merge request onto its target, by a task (docs/api/merge-requests.md, "Rebase").

import type { Actor } from '../../../access/actor.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { copyCommitFrom } from '../../../git/copy-commit.ts'
import { GitError } from '../../../git/errors.ts'
import { branchRef, type Oid } from '../../../git/names.ts'
import { replayCommits } from '../../../git/replay.ts'
import { updateRefs } from '../../../git/update-refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import type { Project } from '../../../subjects/project.ts'
import { defineTask, enqueue } from '../../../tasks/task.ts'
import { withBranchLock } from '../../repository/commits/branch-lock.ts'
import {
  listBranchProtectionRules,
  rulesMatchingBranch,
} from '../../repository/protected-branches/protected-branch.ts'
import { mayForce } from '../../repository/pushes/check-push.ts'
import { mayPush, preparePush } from '../../repository/pushes/push.ts'
import { createRefUpdateRecheck } from '../../repository/pushes/recheck-access.ts'
import {
  findRequestWithProjects,
  type MergeRequestWithProjects,
  readBranchTips,
} from '../merge-requests/merge-request.ts'
import {
  listCommitsOfRequest,
  syncMergeRequestWithBranches,
} from '../merge-requests/refresh-request.ts'
import { findUserActor } from '../merge-requests/user-actor.ts'
import { markRebaseEnded, markRebaseStarted } from './merge.store.ts'

const name = { name: 'rebase-merge-request', lane: 'events' } as const
type Payload = { merge_request_id: number; user_id: number; skip_ci: boolean }

/** Enqueues a rebase. Returns false if the merge request is not open, or is being rebased. */
export function enqueueMergeRequestRebase(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  payload: Payload,
): Promise<boolean> {
  const { merge_request_id: id } = payload
  return runTransaction(db, async (tx) => {
    const now = timestamp(clock)
    const stale = new Date(clock().getTime() - limits.merge_requests.rebasing_ms_max).toISOString()
    if (!(await markRebaseStarted(tx, id, { now, stale }))) return false
    await enqueue(tx, clock, { task: name, key: String(id), payload })
    return true
  })
}

const failed = 'Rebase failed: Rebase locally, resolve all conflicts, then push the branch.'

/** Safe to repeat: a second run finds that the source is already on top of the target. */
const rebaseRequest = defineTask({
  ...name,
  async run(uses: Instance, { merge_request_id: id, user_id, skip_ci }: Payload) {
    const whole = await findRequestWithProjects(uses.db, id)
    if (!whole?.request.rebasing_since) return
    const actor = await findUserActor(uses, user_id)
    let problem: string | null = failed
    try {
      if (actor?.user) problem = (await rebase(uses, whole, { actor, skip_ci })) ? null : failed
    } catch (error) {
      if (!(error instanceof GitError) && !(error instanceof ApiError)) throw error
    }
    await markRebaseEnded(uses.db, id, problem)
    if (problem === null) await syncMergeRequestWithBranches(uses, id)
  },
})

export const rebaseTasks = [rebaseRequest]

/** Moves the source branch to its commits replayed on top of the target; returns false if they conflict. */
async function rebase(
  uses: Instance,
  whole: MergeRequestWithProjects,
  { actor, skip_ci }: { actor: Actor; skip_ci: boolean },
): Promise<boolean> {
  const { git, config, clock, db } = uses
  const { source, request } = whole
  const ref = branchRef(request.source_branch)
  const { user } = actor
  const { repository, sourceRepository } = readBranchTips(config, whole)
  if (!source || !ref || !user || !sourceRepository) return false
  return withBranchLock(sourceRepository, ref, async () => {
    const { sourceTip, targetTip } = readBranchTips(config, whole)
    if (!sourceTip || !targetTip) return false
    await copyCommitFrom(git.git, {
      from: repository,
      repository: sourceRepository,
      oid: targetTip,
    })
    const onto = await git.objects.commit(sourceRepository, targetTip)
    const span = { head: sourceTip, start: targetTip }
    const oids = await listCommitsOfRequest(git, sourceRepository, span)
    if (!onto || oids.length > limits.merge_requests.rebased_commits_max) return false
    const base = await git.mergeBases.of(sourceRepository, [targetTip, sourceTip])
    if (base === targetTip) return true
    const commits = await git.objects.commits(sourceRepository, oids.toReversed())
    const committer = { name: user.name, email: user.commit_email ?? user.email }
    const replayed = await replayCommits(git, sourceRepository, {
      commits,
      onto,
      committer,
      date: clock(),
    })
    if ('conflict' in replayed) return false
    const update = { name: ref, oldOid: sourceTip, newOid: replayed.tip as Oid }
    const { landed } = await preparePush(uses, source, {
      moves: [update],
      user_id: user.id,
      options: skip_ci ? ['ci.skip'] : [],
    })
    await updateRefs(git.git, sourceRepository, {
      updates: [update],
      areObjectsKnown: true,
      confirm: createRefUpdateRecheck({ ...uses, actor }, source, {
        may: (facts) =>
          mayRebaseSourceBranch({ db, config, ...facts }, facts.subject, request.source_branch),
        pushed: update,
      }),
    })
    landed()
    return true
  })
}

/** Whether the user may push to the branch, and force-push. */
export async function mayRebaseSourceBranch(
  who: Parameters<typeof mayPush>[0],
  source: Project,
  branch: string,
): Promise<boolean> {
  if (!(await mayPush(who, source, branch))) return false
  const matching = rulesMatchingBranch(
    await listBranchProtectionRules(who.db, source.id, who.actor),
    branch,
  )
  return matching.length === 0 || mayForce(matching)
}
