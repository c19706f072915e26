// Public functions of merge requests: their own fields besides those shared with issues, and their two branches.

import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { Type } from 'typebox'
import { anonymous } from '../../../access/actor.ts'
import type { Config } from '../../../config.ts'
import type { Db, MergeRequestTable, MergeRequestVersionTable } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'
import { branchRef, type Oid } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { namedObject } from '../../../http/schema.ts'
import { ApiError, recordNotFound } from '../../../kernel/errors.ts'
import { splitIntoBatches } from '../../../kernel/split-into-batches.ts'
import type { Issuable, IssuableSubject } from '../../../subjects/issuable.ts'
import { findProject, type Project, projectRepository } from '../../../subjects/project.ts'

/** The commit that an operation created or read. */
export const CommitIdJson = namedObject('CommitId', { commit_id: Type.String() })

export type MergeRequest = Selectable<MergeRequestTable>
export type MergeRequestVersion = Selectable<MergeRequestVersionTable>

/** A merge request with its projects; `source` is undefined if that project was deleted. */
export type MergeRequestWithProjects = {
  issuable: Issuable
  request: MergeRequest
  target: Project
  source: Project | undefined
}

/** An issue that a merge request closes, with the path of its project. */
export type IssueClosedOnMerge = Pick<Issuable, 'id' | 'iid' | 'kind' | 'project_id'> & {
  full_path: string
}

export async function findRequestWithProjects(
  db: Db,
  id: number,
): Promise<MergeRequestWithProjects | undefined> {
  const issuable = await db
    .selectFrom('issuables')
    .selectAll()
    .where('id', '=', id)
    .where('kind', '=', 'merge_request')
    .executeTakeFirst()
  return issuable && loadRequestOfIssuable(db, issuable)
}

/** Loads the merge request of an issuable with its projects; three queries, or two if it is not from a fork. */
export async function loadRequestOfIssuable(
  db: Db,
  issuable: Issuable,
): Promise<MergeRequestWithProjects | undefined> {
  const request = await db
    .selectFrom('merge_requests')
    .selectAll()
    .where('issuable_id', '=', issuable.id)
    .executeTakeFirst()
  const target = await findProject(db, anonymous, { id: issuable.project_id })
  if (!request || !target) return undefined
  const { source_project_id } = request
  const source =
    source_project_id === issuable.project_id
      ? target
      : source_project_id === null
        ? undefined
        : await findProject(db, anonymous, { id: source_project_id })
  return { issuable, request, target: target.project, source: source?.project }
}

export function findMergeRequestVersion(
  db: Db,
  id: number,
): Promise<MergeRequestVersion | undefined> {
  return db.selectFrom('merge_request_versions').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Returns the newest version; undefined if a branch of the merge request never existed. */
export async function findNewestVersion(
  db: Db,
  { latest_version_id }: Pick<MergeRequest, 'latest_version_id'>,
): Promise<MergeRequestVersion | undefined> {
  return latest_version_id === null ? undefined : findMergeRequestVersion(db, latest_version_id)
}

/** The current tips of a merge request's branches. */
export type BranchTips = {
  /** The repository of the target project. */
  repository: Repository
  sourceRepository: Repository | undefined
  sourceTip: Oid | undefined
  targetTip: Oid | undefined
}

type Branches = Pick<MergeRequest, 'source_branch' | 'target_branch'>
type Placed = Pick<Project, 'id' | 'repository_storage'>

export function readBranchTips(
  config: Config,
  {
    request: { source_branch, target_branch },
    target,
    source,
  }: { request: Branches; target: Placed; source: Placed | undefined },
): BranchTips {
  const repository = projectRepository(config, target)
  const sourceRepository = source && projectRepository(config, source)
  const sourceRef = branchRef(source_branch)
  const targetRef = branchRef(target_branch)
  return {
    repository,
    sourceRepository,
    sourceTip: sourceRepository && sourceRef && readRef(sourceRepository, sourceRef),
    targetTip: targetRef && readRef(repository, targetRef),
  }
}

export type DisplayedMergeStatus = MergeRequest['merge_status'] | 'cannot_be_merged_recheck'

/**
 * Returns the result of the last mergeability check, if it was for the current tips of both branches
 * (docs/api/merge-requests.md, "Mergeability").
 */
export function currentMergeStatus(
  request: Pick<
    MergeRequest,
    'is_open' | 'merge_status' | 'checked_source_sha' | 'checked_target_sha'
  >,
  { sourceTip, targetTip }: Pick<BranchTips, 'sourceTip' | 'targetTip'>,
): DisplayedMergeStatus {
  const { merge_status, checked_source_sha, checked_target_sha } = request
  const isTrue =
    checked_source_sha === (sourceTip ?? null) && checked_target_sha === (targetTip ?? null)
  if (!request.is_open || isTrue || merge_status === 'unchecked') return merge_status
  return merge_status === 'cannot_be_merged' ? 'cannot_be_merged_recheck' : 'unchecked'
}

/** Returns the name of the reference that a merge request has in its target repository. */
export function mergeRequestHeadRefName(iid: number): string {
  return `refs/merge-requests/${iid}/head`
}

const rows_max = 500

/** Inserts a version as the newest one, unless another one is newest meanwhile. */
export async function insertNewestVersion(
  tx: Db,
  {
    issuable_id,
    before,
    version,
    commits,
  }: {
    issuable_id: number
    before: number | null
    version: Omit<Insertable<MergeRequestVersionTable>, 'issuable_id'>
    commits: readonly string[]
  },
): Promise<void> {
  const { id } = await tx
    .insertInto('merge_request_versions')
    .values({ ...version, issuable_id })
    .returning('id')
    .executeTakeFirstOrThrow()
  const made = await tx
    .updateTable('merge_requests')
    .set({ head_sha: version.head_sha, latest_version_id: id })
    .where('issuable_id', '=', issuable_id)
    .where('latest_version_id', before === null ? 'is' : '=', before)
    .returning('issuable_id')
    .executeTakeFirst()
  if (!made) {
    await tx.deleteFrom('merge_request_versions').where('id', '=', id).execute()
    return
  }
  await tx.deleteFrom('merge_request_commits').where('issuable_id', '=', issuable_id).execute()
  for (const some of splitIntoBatches(commits, rows_max)) {
    const rows = some.map((sha) => ({ issuable_id, sha }))
    await tx.insertInto('merge_request_commits').values(rows).execute()
  }
}

export async function updateMergeStatus(
  db: Db,
  issuable_id: number,
  status: Pick<
    Updateable<MergeRequestTable>,
    'merge_status' | 'checked_source_sha' | 'checked_target_sha' | 'is_behind'
  >,
): Promise<void> {
  await db
    .updateTable('merge_requests')
    .set(status)
    .where('issuable_id', '=', issuable_id)
    .where('is_open', '=', true)
    .execute()
}

export type MergeRequestUpdates = Updateable<MergeRequestTable>

export async function updateMergeRequest(
  tx: Db,
  issuable_id: number,
  changes: MergeRequestUpdates,
): Promise<void> {
  await tx
    .updateTable('merge_requests')
    .set(changes)
    .where('issuable_id', '=', issuable_id)
    .execute()
}

/** Enables auto-merge with `parameters`, or disables it without. Returns false if nothing changed. */
export async function setAutoMerge(
  tx: Db,
  id: number,
  parameters: Exclude<MergeRequest['merge_parameters'], null> | undefined,
  user_id?: number,
): Promise<boolean> {
  const isArmed = parameters !== undefined
  const changed = await tx
    .updateTable('merge_requests')
    .set({
      merge_when_pipeline_succeeds: isArmed,
      merge_parameters: isArmed ? toJson(parameters) : null,
      merge_user_id: user_id ?? null,
    })
    .where('issuable_id', '=', id)
    .where('is_open', '=', true)
    .where('merge_when_pipeline_succeeds', '=', !isArmed)
    .returning('issuable_id')
    .executeTakeFirst()
  return changed !== undefined
}

/** Returns the open merge requests from a branch, newest first, each with the path of its target project. */
export function listOpenRequestsFromBranch(
  db: Db,
  { project_id, branch, limit }: { project_id: number; branch: string; limit: number },
) {
  return db
    .selectFrom('merge_requests')
    .innerJoin('issuables', 'issuables.id', 'merge_requests.issuable_id')
    .innerJoin('projects', 'projects.id', 'issuables.project_id')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .select(['issuables.id', 'issuables.iid', 'issuables.kind'])
    .select(sql<string>`namespaces.full_path || '/' || projects.path`.as('full_path'))
    .where('merge_requests.source_project_id', '=', project_id)
    .where('merge_requests.source_branch', '=', branch)
    .where('merge_requests.is_open', '=', true)
    .orderBy('issuables.id', 'desc')
    .limit(limit)
    .execute()
}

/** Returns the merge request with its own row and projects. Throws 404 if it was deleted. */
export async function getRequestWithProjects({
  db,
  subject,
}: {
  db: Db
  subject: IssuableSubject
}): Promise<MergeRequestWithProjects> {
  const whole = await loadRequestOfIssuable(db, subject.issuable)
  if (!whole) throw recordNotFound()
  return whole
}

export function staleShaError(head: string | null): ApiError {
  return new ApiError('conflict', `SHA does not match HEAD of source branch: ${head ?? ''}`)
}
