// Pipelines that run for merge requests (docs/api/merge-requests.md, "Pipelines").

import type { ActorUser } from '../../../access/actor.ts'
import type { Db } from '../../../db/db.ts'
import type { Oid } from '../../../git/names.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { ApiError, notAllowedInState } from '../../../kernel/errors.ts'
import { fullIssuableReference } from '../../../subjects/issuable.ts'
import type { Pipeline } from '../../../subjects/pipeline.ts'
import { type Project, projectRepository, projectUrl } from '../../../subjects/project.ts'
import { serverUrl } from '../../../subjects/server-url.ts'
import { actorUserFromUser, findAccountProblem, findUser } from '../../../subjects/user.ts'
import { createPipeline } from '../../delivery/pipeline-creation/create-pipeline.ts'
import type { MergeRequestPipelineSource } from '../../delivery/pipeline-creation/pipeline-request.ts'
import {
  listBranchProtectionRules,
  rulesMatchingBranch,
} from '../../repository/protected-branches/protected-branch.ts'
import { isRequestApproved } from '../approvals/approval.ts'
import {
  findNewestVersion,
  listOpenRequestsFromBranch,
  type MergeRequestWithProjects,
  mergeRequestHeadRefName,
} from '../merge-requests/merge-request.ts'
import { findNamesForPipelineVariables } from './merge-request-version.store.ts'

/**
 * Creates the pipeline of the newest version, by the rules for merge requests. It runs in the target project if the branch
 * is there, otherwise in the fork. If the fork was deleted, it runs nowhere, since code of strangers must not run with the
 * secrets of the target. Throws 400 if it is refused.
 */
export async function createMergeRequestPipeline(
  uses: Instance,
  whole: MergeRequestWithProjects,
  { user, origin }: { user: ActorUser; origin?: string },
): Promise<Pipeline> {
  const { issuable, request, target, source } = whole
  if (!source) throw notAllowedInState()
  const isOwn = source.id === target.id
  return createPipeline(uses, {
    project: source,
    ref: isOwn ? mergeRequestHeadRefName(issuable.iid) : request.source_branch,
    source: 'merge_request_event',
    user,
    variables: [],
    origin,
    sha: (request.head_sha ?? undefined) as Oid | undefined,
    merge_request: { id: issuable.id, variables: await variablesOf(uses, whole) },
  })
}

/** Creates a pipeline after a push or the creation of a merge request, if there are jobs for it, once for each commit. */
export async function startMergeRequestPipelineIfNeeded(
  uses: Instance,
  whole: MergeRequestWithProjects,
  user_id: number,
): Promise<void> {
  const { db, git, clock, config } = uses
  const { issuable, request, target } = whole
  const sha = request.head_sha as Oid | null
  if (sha === null || issuable.state !== 'opened') return
  const user = await findUser(db, user_id)
  if (!user || findAccountProblem(user, timestamp(clock))) return
  const commit = await git.objects.commit(projectRepository(config, target), sha)
  if (!commit || /\[(ci skip|skip ci)\]/i.test(commit.message)) return
  try {
    const origin = `merge-request:${issuable.id}:${sha}`
    await createMergeRequestPipeline(uses, whole, { user: actorUserFromUser(user), origin })
  } catch (error) {
    // Most projects have no jobs for merge requests, so refusals are not reported.
    if (!(error instanceof ApiError)) throw error
  }
}

async function variablesOf(
  { db, config }: Instance,
  { issuable, request, target, source }: MergeRequestWithProjects,
): Promise<MergeRequestPipelineSource['variables']> {
  const baseUrl = serverUrl(config)
  const from = source ?? target
  const version = await findNewestVersion(db, request)
  const { assignees, labels, milestone } = await findNamesForPipelineVariables(db, issuable)
  const isProtected = async (project: Project, branch: string) =>
    rulesMatchingBranch(
      await listBranchProtectionRules(db, project.id, { user: undefined, token: undefined }),
      branch,
    ).length > 0
  return {
    CI_MERGE_REQUEST_ID: String(issuable.id),
    CI_MERGE_REQUEST_IID: String(issuable.iid),
    CI_MERGE_REQUEST_REF_PATH: mergeRequestHeadRefName(issuable.iid),
    CI_MERGE_REQUEST_PROJECT_ID: String(target.id),
    CI_MERGE_REQUEST_PROJECT_PATH: target.full_path,
    CI_MERGE_REQUEST_PROJECT_URL: projectUrl(baseUrl, target),
    CI_MERGE_REQUEST_TARGET_BRANCH_NAME: request.target_branch,
    CI_MERGE_REQUEST_TARGET_BRANCH_PROTECTED: String(
      await isProtected(target, request.target_branch),
    ),
    CI_MERGE_REQUEST_SOURCE_PROJECT_ID: String(from.id),
    CI_MERGE_REQUEST_SOURCE_PROJECT_PATH: from.full_path,
    CI_MERGE_REQUEST_SOURCE_PROJECT_URL: projectUrl(baseUrl, from),
    CI_MERGE_REQUEST_SOURCE_BRANCH_NAME: request.source_branch,
    CI_MERGE_REQUEST_SOURCE_BRANCH_PROTECTED: String(
      await isProtected(from, request.source_branch),
    ),
    CI_MERGE_REQUEST_TITLE: issuable.title,
    CI_MERGE_REQUEST_DESCRIPTION: (issuable.description ?? '').slice(0, description_characters_max),
    CI_MERGE_REQUEST_DRAFT: String(request.draft),
    CI_MERGE_REQUEST_SQUASH_ON_MERGE: String(request.squash),
    CI_MERGE_REQUEST_APPROVED: String(await isRequestApproved(db, issuable.id)),
    ...(assignees === '' ? {} : { CI_MERGE_REQUEST_ASSIGNEES: assignees }),
    ...(labels === '' ? {} : { CI_MERGE_REQUEST_LABELS: labels }),
    ...(milestone === '' ? {} : { CI_MERGE_REQUEST_MILESTONE: milestone }),
    ...(version
      ? {
          CI_MERGE_REQUEST_DIFF_ID: String(version.id),
          CI_MERGE_REQUEST_DIFF_BASE_SHA: version.base_sha ?? '',
        }
      : {}),
    CI_MERGE_REQUEST_EVENT_TYPE: 'detached',
  }
}

const description_characters_max = 2700
const shown_max = 4

/** Sets `CI_OPEN_MERGE_REQUESTS` if open merge requests come from the branch. A step of predefined variables. */
export async function addOpenMergeRequestsVariable({
  db,
  project,
  ref,
  tag,
  variables,
}: {
  db: Db
  project: Project
  ref: string
  tag: boolean
  variables: Record<string, string>
}): Promise<void> {
  if (tag) return
  const open = await listOpenRequestsFromBranch(db, {
    project_id: project.id,
    branch: ref,
    limit: shown_max,
  })
  if (open.length === 0) return
  variables.CI_OPEN_MERGE_REQUESTS = open.map((one) => fullIssuableReference(one, one)).join(',')
}
