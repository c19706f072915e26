// What follows a merge: closing issues, deleting the source branch, retargeting merge requests into that branch.

import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import { GitError } from '../../../git/errors.ts'
import { branchRef, type RefName, zeroOid } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import { updateRefs } from '../../../git/update-refs.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { RepositoryElsewhereError } from '../../../kernel/repository-elsewhere.ts'
import { findIssuable, mayUpdateIssuable } from '../../../subjects/issuable.ts'
import { findProject, projectRepository } from '../../../subjects/project.ts'
import { serverUrl } from '../../../subjects/server-url.ts'
import { cancelWaitingTask, defineTask, enqueue, makeTasksDue } from '../../../tasks/task.ts'
import { changeIssuable } from '../../planning/issuables/change-issuable.ts'
import {
  listBranchProtectionRules,
  rulesMatchingBranch,
} from '../../repository/protected-branches/protected-branch.ts'
import { mayPush, preparePush } from '../../repository/pushes/push.ts'
import { createRefUpdateRecheck } from '../../repository/pushes/recheck-access.ts'
import { listIssuesClosedOnMerge } from '../merge-request-versions/closing-issues.ts'
import {
  findRequestWithProjects,
  type MergeRequestWithProjects,
} from '../merge-requests/merge-request.ts'
import { findUserActor } from '../merge-requests/user-actor.ts'
import { retargetMergeRequestsAfterMerge } from './retarget.ts'

/** The process that merged runs the steps at once. The task completes them after a crash. */
const delay_ms = 30_000
const name = { name: 'after-merge', lane: 'events' } as const

/** Runs the steps after a merge. Each step checks what is left to do, so it is safe to repeat. */
async function runAfterMerge(uses: Instance, id: number): Promise<void> {
  const whole = await findRequestWithProjects(uses.db, id)
  if (whole?.issuable.state !== 'merged') return
  await closeIssues(uses, whole)
  await deleteSourceBranch(uses, whole)
}

export const afterMergeSteps = {
  /** Must be called in the transaction that marks the merge request as merged. */
  enqueue: (tx: Db, clock: Clock, id: number): Promise<void> =>
    enqueue(tx, clock, {
      task: name,
      key: String(id),
      payload: { merge_request_id: id },
      delay_ms,
    }),
  async run(uses: Instance, id: number): Promise<void> {
    const key = String(id)
    try {
      await runAfterMerge(uses, id)
      await cancelWaitingTask(uses.db, { task: name, key })
    } catch (error) {
      if (!(error instanceof RepositoryElsewhereError)) throw error
      // The source repository is on another server, which runs the task at once.
      makeTasksDue(uses.db, uses.clock, { task: name, keys: [key] })
    }
  },
}

export const afterMergeTasks = [
  defineTask({
    ...name,
    run: (uses: Instance, { merge_request_id }: { merge_request_id: number }) =>
      runAfterMerge(uses, merge_request_id),
  }),
]

/**
 * Closes the issues that the texts name, if the user who merged may close them (docs/api/merge-requests.md, "Closing
 * issues").
 */
async function closeIssues(
  { db, clock, config }: Instance,
  { issuable, request }: MergeRequestWithProjects,
): Promise<void> {
  const actor = await findUserActor({ db, clock }, request.merge_user_id)
  if (!actor) return
  for (const { id, project_id } of await listIssuesClosedOnMerge(db, issuable.id)) {
    await runTransaction(db, async (tx) => {
      const found = await findProject(tx, actor, { id: project_id })
      const issue = found && (await findIssuable(tx, actor, { id }))
      if (!found || issue?.issuable.state !== 'opened') return
      const { project, level } = found
      const subject = { ...project, ...issue }
      if (!mayUpdateIssuable({ subject, level, actor })) return
      const uses = { db: tx, clock, actor, config, baseUrl: serverUrl(config) }
      await changeIssuable(uses, { subject, level, fields: { state_event: 'close' } })
    })
  }
}

/** Deletes the source branch if that was requested and is possible; otherwise does nothing. */
async function deleteSourceBranch(uses: Instance, whole: MergeRequestWithProjects): Promise<void> {
  const { db, config, clock, git } = uses
  const { request, source } = whole
  const { should_remove_source_branch, force_remove_source_branch, source_branch } = request
  const isAsked = should_remove_source_branch ?? force_remove_source_branch ?? false
  const ref = branchRef(source_branch)
  if (!isAsked || !source || !ref || source.default_branch === source_branch) return
  const repository = projectRepository(config, source)
  if (readRef(repository, ref) !== request.head_sha) return
  const remover = force_remove_source_branch ? whole.issuable.author_id : request.merge_user_id
  const actor = await findUserActor({ db, clock }, remover)
  const found = actor && (await findProject(db, actor, { id: source.id }))
  if (!actor?.user || !found) return
  const rules = await listBranchProtectionRules(db, source.id, actor)
  const isProtected = rulesMatchingBranch(rules, source_branch).length > 0
  const who = { db, actor, level: found.level, config }
  if (isProtected || !(await mayPush(who, found.project, source_branch))) return
  await retargetMergeRequestsAfterMerge(uses, { source, request, user_id: actor.user.id })
  const update = {
    name: ref as RefName,
    oldOid: request.head_sha as typeof zeroOid,
    newOid: zeroOid,
  }
  const moved = { moves: [update], user_id: actor.user.id }
  const { landed } = await preparePush(uses, source, moved)
  try {
    await updateRefs(git.git, repository, {
      updates: [update],
      confirm: createRefUpdateRecheck({ ...uses, actor }, source, {
        may: (facts) => mayPush({ db, config, ...facts }, facts.subject, source_branch),
      }),
    })
    landed()
  } catch (error) {
    // The branch stays if it has moved or the user may no longer delete it.
    if (!(error instanceof GitError) && !(error instanceof ApiError)) throw error
  }
}
