// Public functions of merge request records, in lists and alone.

import { type Static, Type } from 'typebox'
import type { Config } from '../../../config.ts'
import type { Instance } from '../../../http/endpoint.ts'
import {
  namedObject,
  nullable,
  nullableBoolean,
  nullableInteger,
  nullableText,
} from '../../../http/schema.ts'
import { type Issuable, shortIssuableReference } from '../../../subjects/issuable.ts'
import { BasicUserJson } from '../../../subjects/user.ts'
import {
  IssuableReferencesJson,
  type SharedIssuableFields,
  SharedIssuableJson,
  type ShowSharedFieldsOptions,
  showSharedFields,
} from '../../planning/issuables/show-issuables.ts'
import { detailedMergeStatus } from './detailed-status.ts'
import {
  currentMergeStatus,
  type DisplayedMergeStatus,
  type MergeRequest,
  readBranchTips,
} from './merge-request.ts'
import { findRequestDetails, type MergeRequestDetails } from './request-details.store.ts'
import { readTipsElsewhere, type TipsElsewhere } from './tips-elsewhere.ts'

export const BasicMergeRequestJson = namedObject('BasicMergeRequest', {
  ...SharedIssuableJson,
  merged_by: nullable(BasicUserJson),
  merge_user: nullable(BasicUserJson),
  merged_at: nullableText,
  title_html: Type.Optional(Type.String()),
  description_html: Type.Optional(Type.String()),
  target_branch: Type.String(),
  source_branch: Type.String(),
  reviewers: Type.Array(BasicUserJson),
  changes_requested_by: Type.Optional(Type.Array(BasicUserJson)),
  source_project_id: nullableInteger,
  target_project_id: Type.Integer(),
  draft: Type.Boolean(),
  work_in_progress: Type.Boolean(),
  merge_when_pipeline_succeeds: Type.Boolean(),
  merge_status: Type.String(),
  detailed_merge_status: Type.String(),
  sha: nullableText,
  merge_commit_sha: nullableText,
  squash_commit_sha: nullableText,
  should_remove_source_branch: nullableBoolean,
  force_remove_source_branch: nullableBoolean,
  allow_collaboration: Type.Optional(Type.Boolean()),
  allow_maintainer_to_push: Type.Optional(Type.Boolean()),
  reference: Type.String(),
  references: IssuableReferencesJson,
  squash: Type.Boolean(),
  approvals_before_merge: Type.Optional(nullableInteger),
  has_conflicts: Type.Boolean(),
  blocking_discussions_resolved: Type.Boolean(),
})

export const SimpleMergeRequestJson = namedObject('SimpleMergeRequest', {
  id: Type.Integer(),
  iid: Type.Integer(),
  project_id: Type.Integer(),
  title: Type.String(),
  description: nullableText,
  state: Type.String(),
  created_at: Type.String(),
  updated_at: Type.String(),
  web_url: Type.String(),
})

type Uses = Pick<Instance, 'db' | 'clock' | 'config'> & { baseUrl: string }

/** `withChangesRequested` adds the reviewers who have requested changes. */
type Options = ShowSharedFieldsOptions & { withChangesRequested?: boolean }

/** Returns the records in the order of the rows. Runs a fixed number of queries for any number of rows. */
export async function showMergeRequests(
  uses: Uses,
  rows: readonly Issuable[],
  options: Options = {},
): Promise<Static<typeof BasicMergeRequestJson>[]> {
  if (rows.length === 0) return []
  const details = await findRequestDetails(uses.db, uses.config.tier, rows)
  const user_ids = [...details.values()].flatMap(({ request, reviewer_ids }) => [
    ...reviewer_ids,
    ...(request.merge_user_id === null ? [] : [request.merge_user_id]),
  ])
  const [shared, tips] = await Promise.all([
    showSharedFields(uses, rows, { ...options, user_ids }),
    readTipsElsewhere(uses, [...details.values()]),
  ])
  return rows.flatMap((row, at) => {
    const part = shared[at]
    const own = details.get(row.id)
    return part && own ? [presentRequest(row, { shared: part, own, options, uses, tips })] : []
  })
}

/** Returns the status to show, after checking the mergeability again if that is needed. */
export function readDisplayedMergeStatus(
  config: Config,
  { request, target, source }: MergeRequestDetails,
  tipsElsewhere?: TipsElsewhere,
): DisplayedMergeStatus {
  if (!request.is_open) return request.merge_status
  const known = tipsElsewhere?.get(request)
  if (known === 'unknown') return request.merge_status
  return currentMergeStatus(request, known ?? readBranchTips(config, { request, target, source }))
}

function presentRequest(
  issuable: Issuable,
  {
    shared: { common, references, full_path, person },
    own,
    options,
    uses,
    tips,
  }: {
    shared: SharedIssuableFields
    own: MergeRequestDetails
    options: Options
    uses: Uses
    tips: TipsElsewhere
  },
): Static<typeof BasicMergeRequestJson> {
  const { request } = own
  const status = readDisplayedMergeStatus(uses.config, own, tips)
  const merge_user = person(request.merge_user_id)
  const { references: _, ...names } = { references }
  return {
    ...common,
    ...names,
    merged_by: issuable.state === 'merged' ? merge_user : null,
    merge_user,
    merged_at: request.merged_at,
    target_branch: request.target_branch,
    source_branch: request.source_branch,
    reviewers: own.reviewer_ids.flatMap((id) => person(id) ?? []),
    ...(options.withChangesRequested
      ? { changes_requested_by: own.change_requester_ids.flatMap((id) => person(id) ?? []) }
      : {}),
    source_project_id: request.source_project_id,
    target_project_id: request.project_id,
    draft: request.draft,
    work_in_progress: request.draft,
    merge_when_pipeline_succeeds: request.merge_when_pipeline_succeeds,
    merge_status: status,
    detailed_merge_status: detailedMergeStatus(issuable, { own, status }),
    sha: request.head_sha,
    merge_commit_sha: request.merge_commit_sha,
    squash_commit_sha: request.squash_commit_sha,
    should_remove_source_branch: request.should_remove_source_branch,
    force_remove_source_branch: request.force_remove_source_branch,
    ...collaboration(request),
    reference: options.within === full_path ? shortIssuableReference(issuable) : references.full,
    references,
    squash: request.squash,
    ...(uses.config.tier === 'free'
      ? {}
      : { approvals_before_merge: request.approvals_before_merge }),
    has_conflicts: status === 'cannot_be_merged',
    blocking_discussions_resolved: !own.isBlockedByThreads,
  }
}

/** Returns the fields about collaboration, which only merge requests from forks have. */
function collaboration({ source_project_id, project_id, allow_collaboration }: MergeRequest) {
  if (source_project_id === project_id) return {}
  return { allow_collaboration, allow_maintainer_to_push: allow_collaboration }
}

/** Returns the records of `view=simple`, in the order of the rows. */
export async function showSimpleMergeRequests(
  uses: Uses,
  rows: readonly Issuable[],
): Promise<Static<typeof SimpleMergeRequestJson>[]> {
  const shared = await showSharedFields(uses, rows)
  return shared.map(({ common }) => {
    const { id, iid, project_id, title, description, state } = common
    const { created_at, updated_at, web_url } = common
    return { id, iid, project_id, title, description, state, created_at, updated_at, web_url }
  })
}
