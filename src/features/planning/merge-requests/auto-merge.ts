// A merge that waits for its pipeline (docs/api/merge-requests.md, "When the pipeline succeeds").
import type { ActorUser } from '../../../access/actor.ts'
import { ApiError } from '../../../kernel/errors.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import { defineTask, enqueueAll } from '../../../tasks/task.ts'
import type { PipelineChange } from '../../delivery/pipelines/pipeline-changed.ts'
import { serverUrl } from '../../delivery/pipelines/server-url.ts'
import { addSystemNotes, addTodos } from '../issuables/issuable.ts'
import { acceptRequest, type MergeParameters, mergeErrors } from './accept-request.ts'
import { findActingUser } from './acting-user.ts'
import { disarm } from './disarm.ts'
import { findMergeable } from './find-mergeable.ts'
import {
  changeArmed,
  listArmed,
  listConcerned,
  saveMergeError,
  setArmed,
} from './merge-request.store.ts'
import type { MergeUses, WholeRequest } from './merge-request.ts'
import { findMergeSettings } from './merge-settings.store.ts'
import { refreshRequest } from './refresh-request.ts'

type Uses = Pick<MergeUses, 'db' | 'clock'>

/** Notes what it is to be merged with; a second time, with other parameters, it changes those. */
export function armRequest(
  { db, clock }: Uses,
  { issuable, request }: WholeRequest,
  { user, parameters }: { user: ActorUser; parameters: MergeParameters },
): Promise<void> {
  const sha = request.head_sha ?? ''
  return db.transaction().execute(async (tx) => {
    const armed = { ...parameters, sha }
    if (!(await setArmed(tx, issuable.id, armed, user.id))) {
      return changeArmed(tx, issuable.id, armed, user.id)
    }
    const body = `enabled an automatic merge when the pipeline for ${sha} succeeds`
    await addSystemNotes(tx, clock, { issuable, author_id: user.id, bodies: [body] })
  })
}

/** False where it was not armed. */
export function cancelAutoMerge(
  { db, clock }: Uses,
  issuable: Issuable,
  user_id: number,
): Promise<boolean> {
  return db
    .transaction()
    .execute((tx) => disarm(tx, clock, { issuable, user_id, reason: undefined }))
}

const name = { name: 'merge-when-succeeded', lane: 'events' } as const

/**
 * A step of the change of a pipeline. Once it has succeeded, those that wait for it are merged by tasks; once it has
 * failed, the authors of those with its commit have something to do.
 */
export async function followPipeline(change: PipelineChange): Promise<void> {
  const { tx, clock, pipeline_id, status, before } = change
  if (status === before) return
  if (status === 'failed') return tellAuthors(change)
  if (status !== 'success' && status !== 'skipped') return
  const armed = await listArmed(tx, pipeline_id)
  await enqueueAll(tx, clock, {
    task: name,
    requests: armed.map(({ issuable_id }) => ({
      key: String(issuable_id),
      payload: { merge_request_id: issuable_id },
    })),
  })
}

async function tellAuthors({ tx, clock, pipeline_id }: PipelineChange): Promise<void> {
  for (const { author_id, ...issuable } of await listConcerned(tx, pipeline_id)) {
    const user_ids = [author_id]
    await addTodos(tx, clock, { issuable, author_id, user_ids, action: 'build_failed' })
  }
}

/**
 * Merges one that is armed, if the newest pipeline of its head has succeeded; what is against it is kept as its
 * `merge_error`, and it stays armed. Safe to repeat: a merged one is armed no more.
 */
const mergeArmed = defineTask({
  ...name,
  async run(uses: MergeUses, { merge_request_id: id }: { merge_request_id: number }) {
    const { db, config } = uses
    const whole = await refreshRequest(uses, id)
    if (!whole?.request.merge_when_pipeline_succeeds) return
    if (whole.issuable.state !== 'opened') return
    const { request, target } = whole
    const settings = await findMergeSettings(db, target.id)
    const { isReady, meetsPipelines, pipeline } = await findMergeable(uses, whole, settings)
    const hasSucceeded =
      pipeline?.status === 'success' ||
      (pipeline?.status === 'skipped' && settings.allow_merge_on_skipped_pipeline === true)
    if (!hasSucceeded || !meetsPipelines) return
    const { sha = '', ...parameters } = request.merge_parameters ?? {}
    if (sha !== request.head_sha) return saveMergeError(db, id, mergeErrors.updated)
    const actor = await findActingUser(uses, request.merge_user_id)
    if (!isReady || !actor?.user) return saveMergeError(db, id, mergeErrors.unmergeable)
    const by = { ...actor, user: actor.user }
    try {
      const baseUrl = serverUrl(config)
      await acceptRequest(uses, {
        id,
        actor: by,
        settings,
        parameters,
        sha,
        baseUrl,
      })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      await saveMergeError(db, id, mergeErrors.unmergeable)
    }
  },
})

export const autoMergeTasks = [mergeArmed]
