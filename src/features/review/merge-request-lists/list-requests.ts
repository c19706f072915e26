// Filters of merge request lists that issues do not have.
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Schema } from '../../../db/db.ts'
import { lowerCaseExpression } from '../../../db/dialect.ts'
import { parsePersonFilter } from '../../planning/issuables/list-filter.ts'

export type MergeRequestFilter = {
  source_branch?: string
  target_branch?: string
  source_project_id?: number
  reviewer_id?: string
  reviewer_username?: string
  wip?: 'yes' | 'no'
}

type RowBuilder = ExpressionBuilder<Schema, 'issuables'>
type Condition = (eb: RowBuilder) => Expression<SqlBool>

/**
 * Returns conditions on rows of `issuables`. Few merge requests have the same source branch, but many the same target
 * branch, so those are looked up one by one.
 */
export function mergeRequestFilterConditions(filter: MergeRequestFilter): Condition[] {
  const { source_branch, target_branch, source_project_id, reviewer_username, wip } = filter
  const conditions: Condition[] = []
  if (source_branch) {
    conditions.push((eb) =>
      eb(
        'issuables.id',
        'in',
        eb
          .selectFrom('merge_requests')
          .select('merge_requests.issuable_id')
          .where('merge_requests.source_branch', '=', source_branch),
      ),
    )
  }
  if (source_project_id !== undefined) {
    conditions.push((eb) =>
      eb.exists(ofRow(eb).where('merge_requests.source_project_id', '=', source_project_id)),
    )
  }
  if (target_branch) {
    conditions.push((eb) =>
      eb.exists(ofRow(eb).where('merge_requests.target_branch', '=', target_branch)),
    )
  }
  if (wip !== undefined) {
    conditions.push((eb) => eb.exists(ofRow(eb).where('merge_requests.draft', '=', wip === 'yes')))
  }
  const reviewer = parsePersonFilter(filter.reviewer_id)
  if (reviewer === 'none') conditions.push((eb) => eb.not(eb.exists(reviewsOf(eb))))
  else if (reviewer === 'any') conditions.push((eb) => eb.exists(reviewsOf(eb)))
  else if (reviewer) {
    conditions.push((eb) =>
      eb.exists(reviewsOf(eb).where('merge_request_reviewers.user_id', '=', reviewer.id)),
    )
  }
  if (reviewer_username) {
    conditions.push((eb) =>
      eb.exists(
        reviewsOf(eb)
          .innerJoin('users', 'users.id', 'merge_request_reviewers.user_id')
          .where(lowerCaseExpression('users.username'), '=', reviewer_username.toLowerCase()),
      ),
    )
  }
  return conditions
}

function ofRow(eb: RowBuilder) {
  return eb
    .selectFrom('merge_requests')
    .select(sql.lit(1).as('one'))
    .whereRef('merge_requests.issuable_id', '=', 'issuables.id')
}

function reviewsOf(eb: RowBuilder) {
  return eb
    .selectFrom('merge_request_reviewers')
    .select(sql.lit(1).as('one'))
    .whereRef('merge_request_reviewers.issuable_id', '=', 'issuables.id')
}
