// Merges a merge request when its pipeline succeeds (docs/api/merge-requests.md, "When the pipeline succeeds").

import type { ActorUser } from '../../../access/actor.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { ApiError } from '../../../kernel/errors.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import { serverUrl } from '../../../subjects/server-url.ts'
import { defineTask, enqueueAll } from '../../../tasks/task.ts'
import type { PipelineChange } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import { insertSystemNotes, insertTodos } from '../../planning/issuables/issuable.ts'
import { disableAutoMerge } from '../merge-request-versions/disable-auto-merge.ts'
import { findMergeability } from '../merge-requests/find-mergeability.ts'
import { type MergeRequestWithProjects, setAutoMerge } from '../merge-requests/merge-request.ts'
import { getMergeSettings } from '../merge-requests/merge-settings.ts'
import { syncMergeRequestWithBranches } from '../merge-requests/refresh-request.ts'
import { findUserActor } from '../merge-requests/user-actor.ts'
import { acceptMergeRequest, type MergeMessages, mergeErrorTexts } from './accept-request.ts'
import { autoMergeEnabledEffect } from './auto-merge-enabled.ts'
import {
  listAutoMergesOfPipeline,
  listRequestAuthorsOfPipeline,
  saveMergeError,
  updateAutoMerge,
} from './merge.store.ts'

type Uses = Pick<Instance, 'db' | 'clock'>

/** Enables auto-merge with these parameters, or updates the parameters if it is enabled. */
export function enableAutoMerge(
  { db, clock }: Uses,
  { issuable, request }: MergeRequestWithProjects,
  { user, parameters }: { user: ActorUser; parameters: MergeMessages },
): Promise<void> {
  const sha = request.head_sha ?? ''
  return runTransaction(db, async (tx) => {
    const withSha = { ...parameters, sha }
    if (!(await setAutoMerge(tx, issuable.id, withSha, user.id))) {
      return updateAutoMerge(tx, issuable.id, withSha, user.id)
    }
    const body = `enabled an automatic merge when the pipeline for ${sha} succeeds`
    await insertSystemNotes(tx, clock, { issuable, author_id: user.id, bodies: [body] })
    const { id: issuable_id, project_id } = issuable
    await autoMergeEnabledEffect.run({ tx, clock, project_id, issuable_id, user_id: user.id })
  })
}

/** Disables auto-merge. Returns false if it was not enabled. */
export function cancelAutoMerge(
  { db, clock }: Uses,
  issuable: Issuable,
  user_id: number,
): Promise<boolean> {
  return runTransaction(db, (tx) =>
    disableAutoMerge(tx, clock, { issuable, user_id, reason: undefined }),
  )
}

const name = { name: 'merge-when-succeeded', lane: 'events' } as const

/**
 * Enqueues auto-merges when the pipeline of their head succeeds, and adds to-do items for authors when it fails. A step of
 * `pipelineChangedEffect`.
 */
export async function continueAutoMerges(change: PipelineChange): Promise<void> {
  const { tx, clock, pipeline_id, status, before } = change
  if (status === before) return
  if (status === 'failed') return addFailureTodos(change)
  if (status !== 'success' && status !== 'skipped') return
  const pending = await listAutoMergesOfPipeline(tx, pipeline_id)
  await enqueueAll(tx, clock, {
    task: name,
    requests: pending.map(({ issuable_id }) => ({
      key: String(issuable_id),
      payload: { merge_request_id: issuable_id },
    })),
  })
}

async function addFailureTodos({ tx, clock, pipeline_id }: PipelineChange): Promise<void> {
  for (const { author_id, ...issuable } of await listRequestAuthorsOfPipeline(tx, pipeline_id)) {
    const user_ids = [author_id]
    await insertTodos(tx, clock, { issuable, author_id, user_ids, action: 'build_failed' })
  }
}

/**
 * Merges a merge request with auto-merge if the newest pipeline of its head has succeeded. If it cannot be
 * merged, the reason is stored as `merge_error` and auto-merge stays enabled. Safe to repeat, since
 * auto-merge ends with the merge.
 */
const runAutoMerge = defineTask({
  ...name,
  async run(uses: Instance, { merge_request_id: id }: { merge_request_id: number }) {
    const { db, config } = uses
    const whole = await syncMergeRequestWithBranches(uses, id)
    if (!whole?.request.merge_when_pipeline_succeeds) return
    if (whole.issuable.state !== 'opened') return
    const { request, target } = whole
    const settings = await getMergeSettings(db, target.id)
    const { isReady, meetsPipelines, pipeline } = await findMergeability(uses, whole, settings)
    const hasSucceeded =
      pipeline?.status === 'success' ||
      (pipeline?.status === 'skipped' && settings.allow_merge_on_skipped_pipeline === true)
    if (!hasSucceeded || !meetsPipelines) return
    const { sha = '', ...parameters } = request.merge_parameters ?? {}
    if (sha !== request.head_sha) return saveMergeError(db, id, mergeErrorTexts.updated)
    const actor = await findUserActor(uses, request.merge_user_id)
    if (!isReady || !actor?.user) return saveMergeError(db, id, mergeErrorTexts.unmergeable)
    const by = { ...actor, user: actor.user }
    try {
      const baseUrl = serverUrl(config)
      await acceptMergeRequest(uses, {
        known: whole,
        actor: by,
        settings,
        parameters,
        sha,
        baseUrl,
      })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      await saveMergeError(db, id, mergeErrorTexts.unmergeable)
    }
  },
})

export const autoMergeTasks = [runAutoMerge]
