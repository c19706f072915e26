import { sql } from 'kysely'
import type { Tier } from '../../../config.ts'
import { defineListLoader } from '../../../db/compiled-query.ts'
import type { CiStatus, Db } from '../../../db/db.ts'
import { encodeIdSet, idSetQuery } from '../../../db/dialect.ts'
import type { Issuable } from '../../../subjects/issuable.ts'
import type { Project } from '../../../subjects/project.ts'
import { filterRequestIdsMissingApprovals } from '../approval-states/approval-state.ts'
import { findHeadPipelines } from './head-pipeline.store.ts'
import type { MergeRequest } from './merge-request.ts'
import { filterRequestIdsWithUnpassedChecks } from './status-check-rule.store.ts'

type Placed = Pick<Project, 'id' | 'repository_storage'>

/** The data that a record of a merge request has beyond that of an issue. */
export type MergeRequestDetails = {
  request: MergeRequest
  target: Placed
  source: Placed | undefined
  settings: {
    merge_method: 'merge' | 'rebase_merge' | 'ff'
    only_allow_merge_if_pipeline_succeeds: boolean
    allow_merge_on_skipped_pipeline: boolean | null
  }
  reviewer_ids: number[]
  /** The reviewers whose last review requested changes. */
  change_requester_ids: number[]
  hasCommits: boolean
  /** Whether the project requires resolved threads and a thread is unresolved. */
  isBlockedByThreads: boolean
  /** Whether the project requires passed status checks and one has not passed. */
  isBlockedByChecks: boolean
  /** Whether required approvals are missing. */
  isBlockedByApprovals: boolean
  /** The status of the head's newest pipeline, if the project requires a pipeline. */
  pipelineStatus: CiStatus | undefined
}

const requestsOf = defineListLoader((db, { ids }: { ids: string }) =>
  db
    .selectFrom('merge_requests')
    .innerJoin('projects as target', 'target.id', 'merge_requests.project_id')
    .leftJoin('projects as source', (join) =>
      join
        .onRef('source.id', '=', 'merge_requests.source_project_id')
        .on('source.state', '=', 'ready'),
    )
    .leftJoin('merge_request_versions as version', 'version.id', 'merge_requests.latest_version_id')
    .selectAll('merge_requests')
    .select([
      'target.repository_storage as target_storage',
      'source.repository_storage as source_storage',
      'version.commits_count',
      'target.merge_method',
      'target.only_allow_merge_if_pipeline_succeeds',
      'target.allow_merge_on_skipped_pipeline',
      'target.only_allow_merge_if_all_discussions_are_resolved',
      'target.only_allow_merge_if_all_status_checks_passed',
      'target.approvals_before_merge as project_approvals',
    ])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('approval_rules')
          .select('approval_rules.id')
          .whereRef('approval_rules.project_id', '=', 'merge_requests.project_id'),
      ).as('has_rules'),
    )
    .where('merge_requests.issuable_id', 'in', sql<number>`(${idSetQuery(db, ids)})`),
)

const reviewersOf = defineListLoader((db, { ids }: { ids: string }) =>
  db
    .selectFrom('merge_request_reviewers')
    .select(['issuable_id', 'user_id', 'state'])
    .where('issuable_id', 'in', sql<number>`(${idSetQuery(db, ids)})`)
    .orderBy('user_id'),
)

const openThreadsOf = defineListLoader((db, { ids }: { ids: string }) =>
  db
    .selectFrom('notes')
    .select('issuable_id')
    .distinct()
    .where('issuable_id', 'in', sql<number>`(${idSetQuery(db, ids)})`)
    .where('resolvable', '=', true)
    .where('resolved_at', 'is', null),
)

/** Returns the details by row id. Runs two queries, and one or a few for each condition that projects set for merges. */
export async function findRequestDetails(
  db: Db,
  tier: Tier,
  rows: readonly Pick<Issuable, 'id'>[],
): Promise<Map<number, MergeRequestDetails>> {
  const ids = encodeIdSet(
    db,
    rows.map(({ id }) => id),
  )
  const [requests, reviewers] = await Promise.all([
    requestsOf(db, { ids }),
    reviewersOf(db, { ids }),
  ])
  const asking = requests.filter(
    ({ is_open, only_allow_merge_if_all_discussions_are_resolved: asks }) => is_open && asks,
  )
  const open =
    asking.length === 0
      ? []
      : await openThreadsOf(db, {
          ids: encodeIdSet(
            db,
            asking.map(({ issuable_id }) => issuable_id),
          ),
        })
  const blocked = new Set(open.map(({ issuable_id }) => issuable_id))
  const unchecked = await filterRequestIdsWithUnpassedChecks(
    db,
    requests.filter(
      ({ is_open, only_allow_merge_if_all_status_checks_passed: asks }) => is_open && asks,
    ),
  )
  const unapproved = await filterRequestIdsMissingApprovals(
    db,
    tier,
    requests.filter(
      ({ is_open, approvals_before_merge, project_approvals, has_rules }) =>
        is_open && (has_rules || project_approvals > 0 || (approvals_before_merge ?? 0) > 0),
    ),
  )
  const pipelines = await findHeadPipelines(
    db,
    requests
      .filter(({ is_open, only_allow_merge_if_pipeline_succeeds: asks }) => is_open && asks)
      .map(({ issuable_id }) => issuable_id),
  )
  const reviewersById = Map.groupBy(reviewers, ({ issuable_id }) => issuable_id)
  return new Map(
    requests.map((row) => {
      const {
        target_storage,
        source_storage,
        commits_count,
        merge_method,
        only_allow_merge_if_pipeline_succeeds,
        allow_merge_on_skipped_pipeline,
        only_allow_merge_if_all_discussions_are_resolved: _,
        only_allow_merge_if_all_status_checks_passed: _checks,
        project_approvals: _approvals,
        has_rules: _rules,
        ...request
      } = row
      const source =
        source_storage === null || request.source_project_id === null
          ? undefined
          : { id: request.source_project_id, repository_storage: source_storage }
      const details: MergeRequestDetails = {
        request,
        target: { id: request.project_id, repository_storage: target_storage },
        source,
        settings: {
          merge_method,
          only_allow_merge_if_pipeline_succeeds,
          allow_merge_on_skipped_pipeline,
        },
        reviewer_ids: (reviewersById.get(row.issuable_id) ?? []).map(({ user_id }) => user_id),
        change_requester_ids: (reviewersById.get(row.issuable_id) ?? [])
          .filter(({ state }) => state === 'requested_changes')
          .map(({ user_id }) => user_id),
        hasCommits: (commits_count ?? 0) > 0,
        isBlockedByThreads: blocked.has(row.issuable_id),
        isBlockedByChecks: unchecked.has(row.issuable_id),
        isBlockedByApprovals: unapproved.has(row.issuable_id),
        pipelineStatus: pipelines.get(row.issuable_id)?.status,
      }
      return [row.issuable_id, details]
    }),
  )
}
