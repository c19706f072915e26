// Quick actions of merge requests only: `/merge`, `/rebase`, `/approve`, `/request_changes`, `/request_review @user`,
// `/draft`.

import type { Actor, ActorUser } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import {
  findIssuable,
  type IssuableSubject,
  mayUpdateIssuable,
} from '../../../subjects/issuable.ts'
import { findVisibleProject } from '../../../subjects/project.ts'
import { serverUrl } from '../../../subjects/server-url.ts'
import { defineTask, enqueue } from '../../../tasks/task.ts'
import { changeIssuable, type IssuableUses } from '../../planning/issuables/change-issuable.ts'
import type { KindSpecificAction } from '../../planning/issuables/quick-actions.ts'
import { approveMergeRequest, unapproveMergeRequest } from '../approvals/approval.ts'
import { requestReviews } from '../approvals/request-reviews.ts'
import { submitReview } from '../approvals/submit-review.ts'
import { addDraftPrefix, isDraftTitle, removeDraftPrefix } from '../merge-requests/draft.ts'
import { getRequestWithProjects } from '../merge-requests/merge-request.ts'
import { findUserActor } from '../merge-requests/user-actor.ts'
import { mayMergeRequest, mergeOrEnableAutoMerge } from './merge-or-enable-auto-merge.ts'
import { enqueueMergeRequestRebase, mayRebaseSourceBranch } from './rebase-request.ts'

const name = { name: 'act-on-merge-request', lane: 'events' } as const
type Payload = { merge_request_id: number; user_id: number; action: 'merge' | 'rebase' }

type Context = IssuableUses &
  Pick<Instance, 'git' | 'config'> & { user: ActorUser; subject: IssuableSubject; level: number }

/** Applies the quick actions of a note in its transaction. Those that need git run in a task. */
export async function applyMergeRequestActions(
  context: Context,
  actions: readonly KindSpecificAction[],
): Promise<void> {
  const { db: tx, clock, actor, user, subject, level } = context
  if (!mayUpdateIssuable({ subject, level, actor })) return
  const approval = { issuable: subject.issuable, user_id: user.id }
  for (const action of actions) {
    if (typeof action === 'object') await requestReviews(context, action.user_ids)
    else if (action === 'approve') await approveMergeRequest(context, approval)
    else if (action === 'unapprove') await unapproveMergeRequest(tx, clock, approval)
    else if (action === 'reviewed' || action === 'requested_changes')
      await submitReview(tx, clock, { ...approval, verdict: action })
    else if (action === 'draft' || action === 'ready') await mark(context, action)
    else
      await enqueueAction(tx, clock, {
        merge_request_id: subject.issuable.id,
        user_id: user.id,
        action,
      })
  }
}

function enqueueAction(tx: Db, clock: Clock, payload: Payload): Promise<void> {
  const key = `${payload.merge_request_id}:${payload.action}`
  return enqueue(tx, clock, { task: name, key, payload })
}

/** Marks the merge request as draft or ready. `/draft` toggles between the two. */
async function mark(context: Context, action: 'draft' | 'ready'): Promise<void> {
  const { subject, level } = context
  const { title } = subject.issuable
  const wasDraft = isDraftTitle(title)
  const isDraft = action === 'draft' && !wasDraft
  if (isDraft === wasDraft) return
  const fields = { title: isDraft ? addDraftPrefix(title) : removeDraftPrefix(title) }
  const notes = [`marked this merge request as **${isDraft ? 'draft' : 'ready'}**`]
  await changeIssuable(context, { subject, level, fields, own: { notes } })
}

/** Refusals are not reported, since nobody waits for them. Safe to repeat: a merged merge request is not merged again. */
const requestQuickActionTask = defineTask({
  ...name,
  async run(uses: Instance, { merge_request_id: id, user_id, action }: Payload) {
    const actor = await findUserActor(uses, user_id)
    const found = actor && (await findIssuable(uses.db, actor, { id }))
    const project =
      found && (await findVisibleProject(uses.db, actor, { id: found.issuable.project_id }))
    if (!actor?.user || !found || !project) return
    const subject = { ...project.project, ...found }
    const baseUrl = serverUrl(uses.config)
    const context = { ...uses, actor, user: actor.user, level: project.level, subject, baseUrl }
    try {
      if (action === 'rebase') await rebase(context)
      else {
        const whole = await getRequestWithProjects(context)
        if (!(await mayMergeRequest(context, whole))) return
        const sha = whole.request.head_sha ?? undefined
        await mergeOrEnableAutoMerge(context, whole, { sha }).catch(async (error) => {
          if (!(error instanceof ApiError)) throw error
          const wishes = { sha, merge_when_pipeline_succeeds: true }
          return mergeOrEnableAutoMerge(context, await getRequestWithProjects(context), wishes)
        })
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  },
})

async function rebase(
  context: Instance & { actor: Actor; user: ActorUser; subject: IssuableSubject },
): Promise<void> {
  const { db, actor, config, user, subject } = context
  const { source, request } = await getRequestWithProjects(context)
  const found = source && (await findVisibleProject(db, actor, { id: source.id }))
  const who = { db, actor, config, level: found?.level ?? 0 }
  if (!found || !(await mayRebaseSourceBranch(who, found.project, request.source_branch))) return
  const merge_request_id = subject.issuable.id
  await enqueueMergeRequestRebase(context, { merge_request_id, user_id: user.id, skip_ci: false })
}

export const quickActionTasks = [requestQuickActionTask]
