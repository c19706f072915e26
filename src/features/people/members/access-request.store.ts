import type { Insertable } from 'kysely'
import type { AccessRequestTable, Db } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import type { MemberSource } from './member-source.ts'

function requestsFor(db: Db, { kind, id }: Pick<MemberSource, 'kind' | 'id'>) {
  return db
    .selectFrom('access_requests')
    .innerJoin('users', 'users.id', 'access_requests.user_id')
    .where(
      kind === 'project' ? 'access_requests.project_id' : 'access_requests.namespace_id',
      '=',
      id,
    )
}

const shown = [
  'users.id',
  'users.username',
  'users.name',
  'users.state',
  'users.avatar',
  'access_requests.requested_at',
] as const

/** Returns one page of access requests in the order they were made. */
export async function listAccessRequests(
  db: Db,
  source: MemberSource,
  { offset, per_page }: { offset: number; per_page: number },
) {
  const query = requestsFor(db, source)
  const rows = await query
    .select(shown)
    .orderBy('access_requests.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, query.select('access_requests.id')) }
}

export function findAccessRequest(db: Db, source: MemberSource, user_id: number) {
  return requestsFor(db, source)
    .select(shown)
    .where('access_requests.user_id', '=', user_id)
    .executeTakeFirst()
}

/** Whether users may request access to the group or project. */
export async function allowsAccessRequests(
  db: Db,
  { kind, id }: Pick<MemberSource, 'kind' | 'id'>,
): Promise<boolean> {
  const table = kind === 'project' ? ('projects' as const) : ('namespaces' as const)
  const row = await db
    .selectFrom(table)
    .select('request_access_enabled')
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.request_access_enabled ?? false
}

/** Inserts an access request; returns false if the user already has one. */
export async function insertAccessRequest(
  tx: Db,
  request: Insertable<AccessRequestTable>,
): Promise<boolean> {
  const inserted = await tx
    .insertInto('access_requests')
    .values(request)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function deleteAccessRequest(
  tx: Db,
  { kind, id }: Pick<MemberSource, 'kind' | 'id'>,
  user_id: number,
): Promise<void> {
  await tx
    .deleteFrom('access_requests')
    .where(kind === 'project' ? 'project_id' : 'namespace_id', '=', id)
    .where('user_id', '=', user_id)
    .execute()
}
