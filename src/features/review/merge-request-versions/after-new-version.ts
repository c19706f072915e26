// What follows a new version of a merge request: system notes, the issues it closes, its pipeline. Run by a task after
// each push, and after the creation.

import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Oid } from '../../../git/names.ts'
import type { Instance } from '../../../http/endpoint.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { escapeHtml } from '../../../kernel/html.ts'
import { issuableUrl, mayUpdateIssuable } from '../../../subjects/issuable.ts'
import { findProject, projectRepository } from '../../../subjects/project.ts'
import { serverUrl } from '../../../subjects/server-url.ts'
import { defineTask, enqueue } from '../../../tasks/task.ts'
import { changeIssuable } from '../../planning/issuables/change-issuable.ts'
import { insertSystemNotes } from '../../planning/issuables/issuable.ts'
import { issuableChangedEffect } from '../../planning/issuables/issuable-changed.ts'
import { resetStaleApprovals } from '../approvals/approval.ts'
import { addDraftPrefix, isDraftTitle } from '../merge-requests/draft.ts'
import {
  findNewestVersion,
  type MergeRequestVersion,
  type MergeRequestWithProjects,
} from '../merge-requests/merge-request.ts'
import { syncMergeRequestWithBranches } from '../merge-requests/refresh-request.ts'
import { findUserActor } from '../merge-requests/user-actor.ts'
import { refreshClosingIssues } from './closing-issues.ts'
import { disableAutoMerge } from './disable-auto-merge.ts'
import { claimVersionNotification, findPreviousVersion } from './merge-request-version.store.ts'
import { startMergeRequestPipelineIfNeeded } from './request-pipeline.ts'

const name = { name: 'follow-merge-request', lane: 'events' } as const

type Payload = {
  merge_request_id: number
  /** The user who pushed or created the version. If null, the author of the merge request. */
  user_id: number | null
  /** Whether to create a version even if the source has not moved. */
  isRenewed?: boolean
}

/** Enqueues the task that creates a new version of a merge request and runs the steps after it. */
export async function enqueueAfterNewVersion(
  tx: Db,
  clock: Clock,
  payload: Payload,
): Promise<void> {
  const key = `${payload.merge_request_id}${payload.isRenewed ? ':renewed' : ''}`
  await enqueue(tx, clock, { task: name, key, payload })
}

/** Each step checks what is left to do, so the task is safe to repeat. */
const afterNewVersion = defineTask({
  ...name,
  async run(uses: Instance, { merge_request_id: id, user_id, isRenewed }: Payload) {
    const whole = await syncMergeRequestWithBranches(uses, id, { isRenewed })
    if (whole?.issuable.state !== 'opened') return
    const by = user_id ?? whole.issuable.author_id
    const version = await findNewestVersion(uses.db, whole.request)
    if (version && !version.is_told) await announceVersion(uses, whole, { version, user_id: by })
    if (version && !whole.request.draft) await markDraft(uses, whole, { version, user_id: by })
    const actor = await findUserActor(uses, by)
    if (actor) {
      await refreshClosingIssues(uses, whole, { actor, baseUrl: serverUrl(uses.config) })
    }
    await startMergeRequestPipelineIfNeeded(uses, whole, by)
  },
})

export const afterNewVersionTasks = [afterNewVersion]

async function announceVersion(
  uses: Instance,
  whole: MergeRequestWithProjects,
  { version, user_id }: { version: MergeRequestVersion; user_id: number },
): Promise<void> {
  const { db, clock } = uses
  const { issuable } = whole
  const before = await findPreviousVersion(db, version)
  const note = before && (await versionNote(uses, whole, { before, version }))
  await runTransaction(db, async (tx) => {
    if (!(await claimVersionNotification(tx, version.id)) || note === undefined || !before) return
    const target = { id: issuable.id, project_id: issuable.project_id }
    const { head_sha } = version
    await resetStaleApprovals(
      { ...uses, db: tx },
      { issuable_id: issuable.id, project_id: issuable.project_id, head_sha },
    )
    await insertSystemNotes(tx, clock, { issuable: target, author_id: user_id, bodies: [note] })
    // Auto-merge stays enabled if it was enabled for this head, as a push option does.
    if (whole.request.merge_parameters?.sha !== version.head_sha) {
      await disableAutoMerge(tx, clock, { issuable, user_id, reason: 'source branch was updated' })
    }
    await issuableChangedEffect.run({
      ...{ tx, clock, user_id },
      project_id: issuable.project_id,
      issuable_id: issuable.id,
      kind: 'merge_request',
      action: 'update',
      changes: {},
      oldrev: before.head_sha,
    })
  })
}

/** Marks a merge request as draft if the title of its newest commit says so (docs/api/merge-requests.md, "Drafts"). */
async function markDraft(
  uses: Instance,
  { issuable, target }: MergeRequestWithProjects,
  { version, user_id }: { version: MergeRequestVersion; user_id: number },
): Promise<void> {
  const repository = projectRepository(uses.config, target)
  const head = await uses.git.objects.commit(repository, version.head_sha as Oid)
  const actor = await findUserActor(uses, user_id)
  if (!head || !actor || !isDraftTitle(head.message)) return
  const found = await findProject(uses.db, actor, { id: target.id })
  const subject = { ...target, issuable, isAssignee: false }
  const level = found?.level ?? 0
  if (!mayUpdateIssuable({ subject, level, actor })) return
  const fields = { title: addDraftPrefix(issuable.title) }
  const own = { notes: ['marked this merge request as **draft**'] }
  await runTransaction(uses.db, async (tx) => {
    const inner = { ...uses, db: tx, actor, baseUrl: serverUrl(uses.config) }
    await changeIssuable(inner, { subject, level, fields, own })
  })
}

const listed_max = 100

/** Returns the note `added 2 commits` with the titles of the commits; undefined if the source has not moved. */
async function versionNote(
  { git, config }: Instance,
  { target, issuable }: MergeRequestWithProjects,
  { before, version }: { before: MergeRequestVersion; version: MergeRequestVersion },
): Promise<string | undefined> {
  if (before.head_sha === version.head_sha) return undefined
  const repository = projectRepository(config, target)
  const span = {
    tips: [version.head_sha as Oid],
    hidden: [before.head_sha as Oid, version.start_sha as Oid],
  }
  const oids = await git.lists.page(repository, span, {}, { offset: 0, limit: listed_max + 1 })
  const commits = await git.objects.commits(repository, oids.slice(0, listed_max))
  const lines = commits.map(({ oid, message }) => {
    const title = message.split('\n', 1)[0] ?? ''
    return `<li>${oid.slice(0, 8)} - ${escapeHtml(title)}</li>`
  })
  const count = oids.length > listed_max ? version.commits_count : oids.length
  const path = new URL(issuableUrl('http://host', target, issuable)).pathname
  const compared = `${path}/diffs?diff_id=${version.id}&start_sha=${before.head_sha}`
  return [
    `added ${count} commit${count === 1 ? '' : 's'}`,
    `<ul>${lines.join('')}</ul>`,
    `[Compare with previous version](${compared})`,
  ].join('\n\n')
}
