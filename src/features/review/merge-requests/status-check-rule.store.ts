import type { Db } from '../../../db/db.ts'
import { matchesWildcard } from '../../../kernel/wildcard.ts'
import type { MergeRequest } from './merge-request.ts'

type Asked = Pick<MergeRequest, 'issuable_id' | 'project_id' | 'target_branch' | 'head_sha'>

/** Returns the ids of the merge requests for which a status check has not passed at their head: two queries. */
export async function filterRequestIdsWithUnpassedChecks(
  db: Db,
  requests: readonly Asked[],
): Promise<Set<number>> {
  if (requests.length === 0) return new Set()
  const checks = await db
    .selectFrom('status_checks')
    .leftJoin('status_check_branches as scope', 'scope.status_check_id', 'status_checks.id')
    .leftJoin('protected_branches as branch', 'branch.id', 'scope.protected_branch_id')
    .select(['status_checks.id', 'status_checks.project_id', 'branch.name as branch'])
    .where(
      'status_checks.project_id',
      'in',
      requests.map(({ project_id }) => project_id),
    )
    .execute()
  if (checks.length === 0) return new Set()
  const passed = await db
    .selectFrom('status_check_responses')
    .select(['issuable_id', 'status_check_id', 'sha'])
    .where(
      'issuable_id',
      'in',
      requests.map(({ issuable_id }) => issuable_id),
    )
    .where('status', '=', 'passed')
    .execute()
  const isUnchecked = ({ issuable_id, project_id, target_branch, head_sha }: Asked) =>
    checks.some(
      ({ id, project_id: owner, branch }) =>
        owner === project_id &&
        (branch === null || matchesWildcard(branch, target_branch)) &&
        !passed.some(
          (one) =>
            one.issuable_id === issuable_id && one.status_check_id === id && one.sha === head_sha,
        ),
    )
  return new Set(requests.filter(isUnchecked).map(({ issuable_id }) => issuable_id))
}
