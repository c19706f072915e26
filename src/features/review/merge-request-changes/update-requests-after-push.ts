// Updates merge requests after a push: those from the branch have a new head, those into it may have been merged by it,
// and those from a deleted branch are closed (docs/api/merge-requests.md, "Pushes").

import { runTransaction } from '../../../db/run-transaction.ts'
import { isFastForward } from '../../../git/fast-forward.ts'
import { branchNameOf, type Oid, zeroOid } from '../../../git/names.ts'
import type { Repository } from '../../../git/repository.ts'
import { limits } from '../../../kernel/limits.ts'
import { findIssuable } from '../../../subjects/issuable.ts'
import { findProject, type Project, projectRepository } from '../../../subjects/project.ts'
import { serverUrl } from '../../../subjects/server-url.ts'
import { changeIssuable } from '../../planning/issuables/change-issuable.ts'
import { insertSystemNotes } from '../../planning/issuables/issuable.ts'
import {
  hasRefPushedCommit,
  type LandedPush,
  type Move,
} from '../../repository/pushes/push-landed.ts'
import { enqueueAfterNewVersion } from '../merge-request-versions/after-new-version.ts'
import { disableAutoMerge } from '../merge-request-versions/disable-auto-merge.ts'
import { findUserActor } from '../merge-requests/user-actor.ts'
import { completeMerge } from '../merging/complete-merge.ts'
import {
  listNewestRequestFromBranchIfClosed,
  listOpenRequestIdsFromBranch,
  listOpenRequestIdsIntoBranch,
  listOpenRequestsWithHeadIn,
} from './merge-request-change.store.ts'

type Uses = LandedPush['uses']
type Pushed = { project: Project; user_id: number | null; branch: string; move: Move }

/**
 * Updates the merge requests from and into the pushed branches. A step of a push that has landed; each part checks
 * what is left to do, so it is safe to repeat.
 */
export async function updateRequestsAfterPush({ uses, push }: LandedPush): Promise<void> {
  const { project } = push
  const user_id = push.user?.id ?? null
  for (const move of push.moves) {
    const branch = branchNameOf(move.name)
    if (branch === undefined) continue
    const pushed = { project, user_id, branch, move }
    if (move.newOid === zeroOid) await closeFrom(uses, pushed)
    else {
      await mergeContained(uses, pushed)
      await updateFromSource(uses, pushed)
      if (move.oldOid === zeroOid) await addRestoredNotes(uses, pushed)
      else await enqueueNewVersionsInto(uses, pushed)
    }
  }
}

/** Enqueues a new version for each open merge request from the branch. */
async function updateFromSource(
  { db, clock }: Uses,
  { project, user_id, branch }: Pushed,
): Promise<void> {
  const ids = await listOpenRequestIdsFromBranch(db, { project_id: project.id, branch })
  for (const merge_request_id of ids) {
    await enqueueAfterNewVersion(db, clock, { merge_request_id, user_id })
  }
}

/** Enqueues new versions of merge requests into a branch that lost commits, since their changes are different then. */
async function enqueueNewVersionsInto(
  uses: Uses,
  { project, branch, move, user_id }: Pushed,
): Promise<void> {
  const { db, clock, git, config } = uses
  const ids = await listOpenRequestIdsIntoBranch(db, { project_id: project.id, branch })
  if (ids.length === 0) return
  const repository = projectRepository(config, project)
  const { oldOid, newOid } = move
  if (await isFastForward(git.git, repository, undefined, { oldOid, newOid })) return
  for (const merge_request_id of ids) {
    await enqueueAfterNewVersion(db, clock, { merge_request_id, user_id, isRenewed: true })
  }
}

/**
 * Marks open merge requests as merged if the push added their head to the target branch, and it is still
 * there.
 */
async function mergeContained(uses: Uses, pushed: Pushed): Promise<void> {
  const { db, git, config } = uses
  const { project, branch, move, user_id } = pushed
  const open = await listOpenRequestIdsIntoBranch(db, { project_id: project.id, branch, limit: 1 })
  if (open.length === 0) return
  const repository = projectRepository(config, project)
  if (!(await hasRefPushedCommit(uses.git, repository, move))) return
  const span = {
    tips: [move.newOid],
    hidden: move.oldOid === zeroOid ? [] : [move.oldOid],
  }
  const range = { offset: 0, limit: limits.compared_commits_max }
  const brought = await git.lists.page(repository, span, {}, range)
  const found = await listOpenRequestsWithHeadIn(db, {
    project_id: project.id,
    branch,
    shas: brought,
  })
  for (const { issuable_id: id, head_sha, author_id } of found) {
    const merge_commit_sha = await findMerge(uses, repository, { head_sha, brought })
    await completeMerge(uses, id, {
      merge_commit_sha,
      squash_commit_sha: null,
      user_id: user_id ?? author_id,
    })
  }
}

/** Returns the oldest pushed merge commit that merges the head; the head itself if no merge commit does. */
async function findMerge(
  { git }: Uses,
  repository: Repository,
  { head_sha, brought }: { head_sha: string; brought: readonly Oid[] },
): Promise<string | null> {
  const commits = await git.objects.commits(repository, brought.slice(0, looked_max))
  const merge = commits.findLast(({ parents }) => parents.slice(1).includes(head_sha as Oid))
  return merge?.oid ?? head_sha
}

const looked_max = 1000

/** Closes open merge requests from a deleted branch, with a system note about the reason. */
async function closeFrom(uses: Uses, { project, user_id, branch, move }: Pushed): Promise<void> {
  const { db, clock, config } = uses
  if (!(await hasRefPushedCommit(uses.git, projectRepository(config, project), move))) return
  for (const id of await listOpenRequestIdsFromBranch(db, { project_id: project.id, branch })) {
    await runTransaction(db, async (tx) => {
      const row = (await findIssuable(tx, { user: undefined, token: undefined }, { id }))?.issuable
      if (row?.state !== 'opened') return
      const by = user_id ?? row.author_id
      const actor = await findUserActor({ db: tx, clock }, by)
      const target = actor && (await findProject(tx, actor, { id: row.project_id }))
      if (!actor || !target) return
      const body = `deleted source branch \`${branch}\``
      await disableAutoMerge(tx, clock, {
        issuable: row,
        user_id: by,
        reason: 'source branch was removed',
      })
      await insertSystemNotes(tx, clock, { issuable: row, author_id: by, bodies: [body] })
      const subject = { ...target.project, issuable: row, isAssignee: false }
      const inner = { db: tx, clock, actor, config, baseUrl: serverUrl(config) }
      await changeIssuable(inner, {
        subject,
        level: target.level,
        fields: { state_event: 'close' },
      })
    })
  }
}

/** Adds a system note about the restored branch to its newest merge request, if that was closed. */
async function addRestoredNotes(
  { db, clock }: Uses,
  { project, user_id, branch }: Pushed,
): Promise<void> {
  const found = await listNewestRequestFromBranchIfClosed(db, { project_id: project.id, branch })
  for (const { id, project_id, author_id } of found) {
    await insertSystemNotes(db, clock, {
      issuable: { id, project_id },
      author_id: user_id ?? author_id,
      bodies: [`restored source branch \`${branch}\``],
    })
  }
}
