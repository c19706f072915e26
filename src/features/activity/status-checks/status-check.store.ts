import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Db, ProtectedBranchTable, StatusCheckTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import { matchesWildcard } from '../../../kernel/wildcard.ts'

type Branch = Pick<
  Selectable<ProtectedBranchTable>,
  'id' | 'name' | 'code_owner_approval_required' | 'created_at'
>
/** A check with the protected branches it applies to; an empty list means all branches. */
export type StatusCheck = Selectable<StatusCheckTable> & { branches: Branch[] }
export type StatusCheckStatus = 'pending' | 'passed' | 'failed'

async function withBranches(
  db: Db,
  checks: readonly Selectable<StatusCheckTable>[],
): Promise<StatusCheck[]> {
  const rows = await db
    .selectFrom('status_check_branches')
    .innerJoin('protected_branches as branch', 'branch.id', 'protected_branch_id')
    .select([
      'status_check_id',
      'branch.id',
      'branch.name',
      'branch.code_owner_approval_required',
      'branch.created_at',
    ])
    .where('status_check_id', 'in', [0, ...checks.map(({ id }) => id)])
    .orderBy('branch.id')
    .execute()
  return checks.map((check) => ({
    ...check,
    branches: rows
      .filter(({ status_check_id }) => status_check_id === check.id)
      .map(({ status_check_id: _, ...branch }) => branch),
  }))
}

const checksOf = (db: Db, project_id: number) =>
  db.selectFrom('status_checks').where('project_id', '=', project_id)

export async function listStatusChecks(
  db: Db,
  project_id: number,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: StatusCheck[]; total: number | undefined }> {
  const matching = checksOf(db, project_id)
  const rows = await matching.selectAll().orderBy('id').limit(per_page).offset(offset).execute()
  return { rows: await withBranches(db, rows), total: await countRows(db, matching.select('id')) }
}

export async function findStatusCheck(
  db: Db,
  { project_id, id }: { project_id: number; id: number },
): Promise<StatusCheck | undefined> {
  const row = await checksOf(db, project_id).selectAll().where('id', '=', id).executeTakeFirst()
  return row && (await withBranches(db, [row]))[0]
}

/** Returns the status checks of a project that apply to merge requests into the branch, at most `limit`. */
export async function listStatusChecksForBranch(
  db: Db,
  {
    project_id,
    target_branch,
    limit,
  }: { project_id: number; target_branch: string; limit: number },
): Promise<StatusCheck[]> {
  const rows = await checksOf(db, project_id).selectAll().orderBy('id').limit(limit).execute()
  if (rows.length === 0) return []
  return (await withBranches(db, rows)).filter(
    ({ branches }) =>
      branches.length === 0 || branches.some(({ name }) => matchesWildcard(name, target_branch)),
  )
}

export async function countStatusChecks(db: Db, project_id: number): Promise<number> {
  const { count } = await checksOf(db, project_id)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

export async function insertStatusCheck(
  tx: Db,
  check: Insertable<StatusCheckTable>,
): Promise<number> {
  const { id } = await tx
    .insertInto('status_checks')
    .values(check)
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export async function updateStatusCheck(
  tx: Db,
  id: number,
  fields: Updateable<StatusCheckTable>,
): Promise<void> {
  if (Object.keys(fields).length === 0) return
  await tx.updateTable('status_checks').set(fields).where('id', '=', id).execute()
}

export async function deleteStatusCheck(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('status_checks').where('id', '=', id).execute()
}

/** Replaces the protected branches of a status check. */
export async function replaceStatusCheckBranches(
  tx: Db,
  id: number,
  ids: readonly number[],
): Promise<void> {
  await tx.deleteFrom('status_check_branches').where('status_check_id', '=', id).execute()
  if (ids.length === 0) return
  await tx
    .insertInto('status_check_branches')
    .values(ids.map((protected_branch_id) => ({ status_check_id: id, protected_branch_id })))
    .execute()
}

/** Returns the statuses of checks at the head of a merge request, by check id; missing ones are pending. */
export async function findStatusCheckStatuses(
  db: Db,
  { issuable_id, sha }: { issuable_id: number; sha: string | null },
): Promise<Map<number, StatusCheckStatus>> {
  const rows = await db
    .selectFrom('status_check_responses')
    .select(['status_check_id', 'status'])
    .where('issuable_id', '=', issuable_id)
    .where('sha', '=', sha ?? '')
    .execute()
  return new Map(rows.map(({ status_check_id, status }) => [status_check_id, status]))
}

/** Stores the newest response of a check for a head, and returns its id. */
export async function upsertStatusCheckResponse(
  tx: Db,
  response: {
    status_check_id: number
    issuable_id: number
    sha: string
    status: StatusCheckStatus
    created_at: string
  },
): Promise<number> {
  const { status, created_at } = response
  const { id } = await tx
    .insertInto('status_check_responses')
    .values(response)
    .onConflict((conflict) =>
      conflict
        .columns(['issuable_id', 'status_check_id', 'sha'])
        .doUpdateSet({ status, created_at }),
    )
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** Returns the target branch of a merge request if it is open. */
export async function findTargetBranchIfOpen(
  db: Db,
  issuable_id: number,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('merge_requests')
    .select('target_branch')
    .where('issuable_id', '=', issuable_id)
    .where('is_open', '=', true)
    .executeTakeFirst()
  return row?.target_branch
}
