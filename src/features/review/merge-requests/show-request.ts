// The record of a single merge request, with fields that lists do not have (docs/api/merge-requests.md, "Record").
import { type Static, Type } from 'typebox'
import type { Oid } from '../../../git/names.ts'
import type { Context } from '../../../http/endpoint.ts'
import { namedObject, nullable, nullableText } from '../../../http/schema.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import {
  BasicPipelineJson,
  mayReadPipelines,
  presentBasicPipeline,
} from '../../../subjects/pipeline.ts'
import { findVisibleProject, type Project } from '../../../subjects/project.ts'
import { ShownPipelineJson, showPipeline } from '../../delivery/pipelines/show-pipeline.ts'
import {
  IssuableAbilitiesJson,
  isSubscribedToIssuable,
} from '../../planning/issuables/issuable-endpoints.ts'
import { renderIssuableHtml } from '../../planning/markdown/render-html.ts'
import { mayMergeIntoBranch } from '../../repository/protected-branches/merge-right.ts'
import { findHeadPipeline } from './head-pipeline.store.ts'
import { isFirstContribution } from './merge-request.store.ts'
import {
  findNewestVersion,
  loadRequestOfIssuable,
  type MergeRequestWithProjects,
  readBranchTips,
} from './merge-request.ts'
import {
  isUpToDateWithBranches,
  listCommitsOfRequest,
  syncMergeRequestWithBranches,
} from './refresh-request.ts'
import { BasicMergeRequestJson, showMergeRequests } from './show-requests.ts'

export const MergeRequestJson = namedObject('MergeRequest', {
  ...BasicMergeRequestJson.properties,
  subscribed: Type.Boolean(),
  changes_count: nullableText,
  latest_build_started_at: Type.Optional(nullableText),
  latest_build_finished_at: Type.Optional(nullableText),
  first_deployed_to_production_at: Type.Optional(Type.Null()),
  pipeline: Type.Optional(nullable(BasicPipelineJson)),
  head_pipeline: Type.Optional(nullable(ShownPipelineJson)),
  diff_refs: nullable(
    namedObject('DiffRefs', {
      base_sha: nullableText,
      head_sha: Type.String(),
      start_sha: Type.String(),
    }),
  ),
  merge_error: nullableText,
  rebase_in_progress: Type.Optional(Type.Boolean()),
  diverged_commits_count: Type.Optional(Type.Integer()),
  first_contribution: Type.Optional(Type.Boolean()),
  user: namedObject('MergeAbility', { can_merge: Type.Boolean() }),
  abilities: Type.Optional(
    namedObject('MergeRequestAbilities', {
      ...IssuableAbilitiesJson.properties,
      resolve_threads: Type.Boolean(),
    }),
  ),
  change_version: Type.Optional(Type.String()),
})

type ShowContext = Pick<
  Context<Project, unknown>,
  'db' | 'git' | 'clock' | 'config' | 'actor' | 'level' | 'baseUrl'
>

export type ShowRequestOptions = {
  isRendered?: boolean
  /** Whether labels are returned as records instead of names. */
  withLabelDetails?: boolean
  withChangesRequested?: boolean
  withDivergence?: boolean
  withRebase?: boolean
  /** Updates the merge request from its branches first, and adds `first_contribution`. */
  isRead?: boolean
  /** Updates the merge request from its branches first. */
  isFresh?: boolean
}

export async function showMergeRequest(
  context: ShowContext,
  project: Project,
  issuable: Issuable,
  {
    isRendered,
    withLabelDetails = false,
    withChangesRequested = false,
    withDivergence,
    withRebase,
    isRead,
    isFresh,
  }: ShowRequestOptions = {},
): Promise<Static<typeof MergeRequestJson>> {
  const { db, actor, level } = context
  const whole = await loadFresh(context, issuable, isRead || isFresh)
  if (!whole) throw new Error(`The merge_requests row of issuable ${issuable.id} was not found.`)
  const { request } = whole
  const [basic] = await showMergeRequests(context, [whole.issuable], {
    within: project.full_path,
    withLabelDetails,
    withChangesRequested,
  })
  if (!basic) throw new Error(`Merge request ${issuable.id} was not presented.`)
  const version = await findNewestVersion(db, request)
  const facts = { subject: project, level, actor }
  return {
    ...basic,
    ...(isRendered ? await renderIssuableHtml(context, whole.issuable, project) : {}),
    subscribed: await isSubscribedToIssuable(context, issuable),
    changes_count: version ? formatFilesCount(version) : null,
    ...(await pipelinePart(context, whole)),
    diff_refs: version
      ? { base_sha: version.base_sha, head_sha: version.head_sha, start_sha: version.start_sha }
      : null,
    merge_error: request.merge_error,
    ...(withRebase ? { rebase_in_progress: request.rebasing_since !== null } : {}),
    ...(withDivergence ? { diverged_commits_count: await countDivergence(context, whole) } : {}),
    ...(isRead ? { first_contribution: await isFirstContribution(db, issuable) } : {}),
    user: { can_merge: await mayMergeIntoBranch(db, facts, request.target_branch) },
  }
}

async function loadFresh(
  context: ShowContext,
  issuable: Issuable,
  isRefreshed: boolean | undefined,
): Promise<MergeRequestWithProjects | undefined> {
  const whole = await loadRequestOfIssuable(context.db, issuable)
  if (!whole || !isRefreshed || issuable.state !== 'opened') return whole
  const heads = readBranchTips(context.config, whole)
  return isUpToDateWithBranches(whole.request, heads)
    ? whole
    : syncMergeRequestWithBranches(context, issuable.id)
}

/** Formats the number of files that the newest version changes: `3`, or `1000+` above the limit of counting. */
export function formatFilesCount({
  files_count,
  is_cut,
}: {
  files_count: number
  is_cut: boolean
}): string {
  return is_cut ? `${files_count}+` : String(files_count)
}

async function pipelinePart({ db, actor, baseUrl }: ShowContext, whole: MergeRequestWithProjects) {
  const { issuable, target, source } = whole
  if (target.builds_access_level === 'disabled') return {}
  const pipeline = await findHeadPipeline(db, issuable.id)
  const none = {
    latest_build_started_at: null,
    latest_build_finished_at: null,
    first_deployed_to_production_at: null,
    pipeline: null,
  }
  const project = pipeline?.project_id === source?.id ? source : target
  const found = project && (await findVisibleProject(db, actor, { id: project.id }))
  const mayRead = found && mayReadPipelines({ subject: found.project, level: found.level, actor })
  if (!project || !mayRead) return none
  return {
    ...none,
    latest_build_started_at: pipeline?.started_at ?? null,
    latest_build_finished_at: pipeline?.finished_at ?? null,
    pipeline: pipeline ? presentBasicPipeline(pipeline, project, baseUrl) : null,
    head_pipeline: pipeline ? await showPipeline({ db, baseUrl }, project, pipeline) : null,
  }
}

/** Returns the number of commits that the target has and the source does not. */
async function countDivergence(
  { git, config }: ShowContext,
  whole: MergeRequestWithProjects,
): Promise<number> {
  const { repository, targetTip } = readBranchTips(config, whole)
  const head = whole.request.head_sha as Oid | null
  if (!targetTip || head === null) return 0
  const oids = await listCommitsOfRequest(git, repository, { head: targetTip, start: head })
  return oids.length
}
