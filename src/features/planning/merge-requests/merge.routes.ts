import { Type } from 'typebox'
import type { ActorUser } from '../../../access/actor.ts'
import { type Context, endpointsWith } from '../../../http/endpoint.ts'
import { optionalBoolean, optionalText } from '../../../http/schema.ts'
import { notAllowed, recordNotFound, unauthorized } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { aMergeRequest, findIssuable, type IssuableSubject } from '../../../subjects/issuable.ts'
import { acceptRequest, cannotBeMerged, type MergeParameters, staleSha } from './accept-request.ts'
import { armRequest, cancelAutoMerge } from './auto-merge.ts'
import { findMergeable } from './find-mergeable.ts'
import { readSignedIn } from './merge-request.policy.ts'
import { updateMergeRequest } from './merge-request.store.ts'
import { headsOf, loadRequest, type WholeRequest } from './merge-request.ts'
import { mayMergeInto } from './merge-right.ts'
import { findMergeSettings } from './merge-settings.store.ts'
import { isActive } from './merge-settings.ts'
import { refreshRequest } from './refresh-request.ts'
import { RequestJson, showRequest } from './show-request.ts'

const endpoint = endpointsWith({ tag: 'Merge requests', on: aMergeRequest, signIn: 'always' })
const base = '/projects/:id/merge_requests/:merge_request_iid'

const mergeInput = Type.Object({
  merge_commit_message: optionalText,
  squash_commit_message: optionalText,
  squash: optionalBoolean,
  should_remove_source_branch: optionalBoolean,
  merge_when_pipeline_succeeds: optionalBoolean,
  auto_merge: optionalBoolean,
  sha: optionalText,
})

type MergeContext = Context<
  IssuableSubject,
  MergeParameters & {
    squash?: boolean
    should_remove_source_branch?: boolean
    merge_when_pipeline_succeeds?: boolean
    auto_merge?: boolean
  }
>

export async function getWhole({
  db,
  subject,
}: Pick<Context<IssuableSubject, unknown>, 'db' | 'subject'>): Promise<WholeRequest> {
  const whole = await loadRequest(db, subject.issuable)
  if (!whole) throw recordNotFound()
  return whole
}

/** Merges at once or once its pipeline succeeds, or throws why not, in this order. */
async function merge(context: MergeContext): Promise<void> {
  const { db, subject, level, actor, input, user, config } = context
  const { id } = subject.issuable
  const before = await getWhole(context)
  if (!(await mayMergeInto(db, { subject, level, actor }, before.request.target_branch))) {
    throw unauthorized()
  }
  const settings = await findMergeSettings(db, subject.id)
  const isAuto = input.merge_when_pipeline_succeeds ?? input.auto_merge ?? false
  const first = await findMergeable({ db, config }, before, settings)
  const isWaiting = isAuto && first.isReady && isActive(first.pipeline?.status)
  const isAtOnce = isAuto
    ? first.pipeline?.status === 'success'
    : first.isReady && first.meetsPipelines
  if (!isWaiting && !isAtOnce) throw notAllowed()
  const whole = await refreshRequest(context, id)
  const now = whole && (await findMergeable({ db, config }, whole, settings))
  const mustRebase = settings.merge_method !== 'merge' && whole?.request.is_behind
  const isStillGood = now?.isReady && (isWaiting || now.meetsPipelines) && !mustRebase
  if (!whole || !isStillGood) throw cannotBeMerged()
  const { merge_commit_message, squash_commit_message, sha } = input
  const { sourceTip } = headsOf(config, whole)
  if (sha && sha !== sourceTip) throw staleSha(sourceTip ?? null)
  const parameters = {
    ...(merge_commit_message ? { merge_commit_message } : {}),
    ...(squash_commit_message ? { squash_commit_message } : {}),
  }
  await updateMergeRequest(db, id, {
    ...(input.squash === true && { squash: true }),
    ...(input.should_remove_source_branch !== undefined && {
      should_remove_source_branch: input.should_remove_source_branch,
    }),
    merge_error: null,
  })
  if (isWaiting) await armRequest(context, whole, { user, parameters })
  else await acceptRequest(context, accepted({ context, user, id, settings, parameters, sha }))
}

function accepted({
  context: { actor, baseUrl },
  user,
  id,
  settings,
  parameters,
  sha,
}: {
  context: MergeContext
  user: ActorUser
  id: number
  settings: Awaited<ReturnType<typeof findMergeSettings>>
  parameters: MergeParameters
  sha: string | undefined
}) {
  return {
    id,
    actor: { ...actor, user },
    settings,
    parameters: sha ? { ...parameters, sha } : parameters,
    baseUrl,
  }
}

async function showChanged(context: Context<IssuableSubject, unknown>) {
  const { db, actor, subject } = context
  const found = await findIssuable(db, actor, { id: subject.issuable.id })
  return showRequest(context, subject, found?.issuable ?? subject.issuable)
}

const CancelledJson = Type.Object({
  status: Type.String(),
  message: Type.Optional(Type.String()),
  http_status: Type.Optional(Type.Integer()),
})

export const mergeEndpoints = [
  endpoint({
    route: `PUT ${base}/merge`,
    summary: 'Merge a merge request, at once or when its pipeline succeeds',
    allow: readSignedIn,
    transaction: 'none',
    body_bytes_max: limits.form_body_bytes,
    input: mergeInput,
    answer: RequestJson,
    async run(context) {
      await merge(context)
      return showChanged(context)
    },
  }),

  endpoint({
    route: `POST ${base}/cancel_merge_when_pipeline_succeeds`,
    summary: 'Call off a merge that waits for its pipeline',
    allow: readSignedIn,
    transaction: 'none',
    status: 201,
    answer: CancelledJson,
    async run(context) {
      const { db, subject, level, actor, user } = context
      const { request, issuable } = await getWhole(context)
      const mayMerge = await mayMergeInto(db, { subject, level, actor }, request.target_branch)
      if (!mayMerge && issuable.author_id !== user.id) throw unauthorized()
      if (await cancelAutoMerge(context, issuable, user.id)) return { status: 'success' }
      return {
        message: "Can't cancel the automatic merge",
        status: 'error',
        http_status: 406,
      }
    },
  }),
]
