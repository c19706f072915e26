import type { Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'

/** Returns one page of a user's direct memberships in the order they were added. */
export async function listDirectMembershipsOfUser(
  db: Db,
  { user_id, type }: { user_id: number; type?: 'Project' | 'Namespace' },
  page: { offset: number; per_page: number },
) {
  let query = db
    .selectFrom('members')
    .leftJoin('projects', 'projects.id', 'members.project_id')
    .leftJoin('namespaces', 'namespaces.id', 'members.namespace_id')
    .where('members.user_id', '=', user_id)
    // Projects and groups that are being deleted are excluded.
    .where((eb) =>
      eb.or([eb('projects.state', '!=', 'deleting'), eb('namespaces.state', '!=', 'deleting')]),
    )
  if (type === 'Project') query = query.where('members.project_id', 'is not', null)
  if (type === 'Namespace') query = query.where('members.namespace_id', 'is not', null)
  const rows = await query
    .select([
      'members.project_id',
      'members.namespace_id',
      'members.access_level',
      'projects.name as project_name',
      'namespaces.name as namespace_name',
    ])
    .orderBy('members.id')
    .limit(page.per_page)
    .offset(page.offset)
    .execute()
  return { rows, total: await countRows(db, query.select('members.id')) }
}

export type Membership = Awaited<ReturnType<typeof listDirectMembershipsOfUser>>['rows'][number]

/** Counts the groups and projects that a user is a direct member of. */
export async function countDirectMembershipsOfUser(
  db: Db,
  user_id: number,
): Promise<{ groups_count: number; projects_count: number }> {
  const row = await db
    .selectFrom('members')
    .leftJoin('projects', 'projects.id', 'members.project_id')
    .leftJoin('namespaces', 'namespaces.id', 'members.namespace_id')
    .where('members.user_id', '=', user_id)
    .select(({ fn }) => [
      fn
        .count<number>('namespaces.id')
        .filterWhere('namespaces.state', '!=', 'deleting')
        .as('groups_count'),
      fn
        .count<number>('projects.id')
        .filterWhere('projects.state', '!=', 'deleting')
        .as('projects_count'),
    ])
    .executeTakeFirstOrThrow()
  return {
    groups_count: Number(row.groups_count),
    projects_count: Number(row.projects_count),
  }
}

/** Returns how many issues and merge requests a user has created, in all projects and states. */
export async function countAuthoredIssuables(
  db: Db,
  author_id: number,
): Promise<{ issues_count: number; merge_requests_count: number }> {
  const rows = await db
    .selectFrom('issuables')
    .where('author_id', '=', author_id)
    .groupBy('kind')
    .select(({ fn }) => ['kind', fn.countAll<number>().as('count')])
    .execute()
  const countOf = (kind: 'issue' | 'merge_request') =>
    Number(rows.find((row) => row.kind === kind)?.count ?? 0)
  return { issues_count: countOf('issue'), merge_requests_count: countOf('merge_request') }
}
