import type { Db } from '../../../db/db.ts'
import { containsTextCondition } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import type { PersonalAccessToken } from './token.ts'

export function findPersonalToken(db: Db, id: number): Promise<PersonalAccessToken | undefined> {
  return db.selectFrom('personal_access_tokens').selectAll().where('id', '=', id).executeTakeFirst()
}

export type PersonalTokenFilter = {
  user_id?: number
  state?: 'active' | 'inactive'
  revoked?: boolean
  search?: string
  /** Tokens with exactly the given time are included by all four filters. */
  created_after?: string
  created_before?: string
  last_used_after?: string
  last_used_before?: string
  impersonation: boolean
  today: string
}

/** Returns one page of tokens in the order of their creation. */
export async function listPersonalTokens(
  db: Db,
  filter: PersonalTokenFilter,
  page: { offset: number; per_page: number },
): Promise<{ rows: PersonalAccessToken[]; total: number | undefined }> {
  let query = db
    .selectFrom('personal_access_tokens')
    .where('impersonation', '=', filter.impersonation)
  if (filter.created_after) query = query.where('created_at', '>=', filter.created_after)
  if (filter.created_before) query = query.where('created_at', '<=', filter.created_before)
  if (filter.last_used_after) query = query.where('last_used_at', '>=', filter.last_used_after)
  if (filter.last_used_before) query = query.where('last_used_at', '<=', filter.last_used_before)
  if (filter.user_id !== undefined) query = query.where('user_id', '=', filter.user_id)
  if (filter.revoked !== undefined) query = query.where('revoked', '=', filter.revoked)
  if (filter.search) query = query.where(containsTextCondition(db, 'name', filter.search))
  if (filter.state === 'active') {
    query = query
      .where('revoked', '=', false)
      .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', filter.today)]))
  }
  if (filter.state === 'inactive') {
    query = query.where((eb) =>
      eb.or([eb('revoked', '=', true), eb('expires_at', '<=', filter.today)]),
    )
  }
  const rows = await query
    .selectAll()
    .orderBy('id')
    .limit(page.per_page)
    .offset(page.offset)
    .execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

/**
 * Locks the row of a token until the transaction ends, so that a concurrent revocation waits and then finds the child
 * token. The update changes nothing. Returns undefined for a revoked token.
 */
export function lockPersonalToken(
  db: Db,
  id: number,
): Promise<{ expires_at: string | null } | undefined> {
  return db
    .updateTable('personal_access_tokens')
    .set({ revoked: false })
    .where('id', '=', id)
    .where('revoked', '=', false)
    .returning('expires_at')
    .executeTakeFirst()
}

/** Revokes a token. Returns false if it was revoked before. */
export async function revokePersonalTokenIfActive(tx: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('personal_access_tokens')
    .set({ revoked: true })
    .where('id', '=', id)
    .where('revoked', '=', false)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}
