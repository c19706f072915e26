import { type Insertable, sql } from 'kysely'
import type { Db, UserTable } from '../../db/db.ts'
import { containsText, lower } from '../../db/dialect.ts'
import { countRows } from '../../db/paginate.ts'
import type { User } from './user.ts'

/** The new user, or undefined when the e-mail address or the name is taken. */
export function insertUser(db: Db, user: Insertable<UserTable>): Promise<User | undefined> {
  return db
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

export async function isEmailTaken(db: Db, email: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where(lower('email'), '=', email.toLowerCase())
    .executeTakeFirst()
  return row !== undefined
}

export type UserFilter = {
  search?: string
  username?: string
  active?: boolean
  blocked?: boolean
  external?: boolean
  exclude_external?: boolean
  exclude_internal?: boolean
  /** Other texts do not filter. */
  two_factor?: string
  /** Whether all addresses are searched, not just the public ones. */
  searchesAllEmails: boolean
}

/** One page of users, newest first, and how many there are (undefined when more than are counted). */
export async function listUsers(
  db: Db,
  filter: UserFilter,
  page: { offset: number; per_page: number },
): Promise<{ rows: User[]; total: number | undefined }> {
  const matching = filteredUsers(db, filter)
  const rows = await matching
    .selectAll()
    .orderBy('id', 'desc')
    .limit(page.per_page)
    .offset(page.offset)
    .execute()
  return { rows, total: await countRows(db, matching.select('id')) }
}

function filteredUsers(db: Db, filter: UserFilter) {
  let query = db.selectFrom('users')
  if (filter.username !== undefined) {
    query = query.where(lower('username'), '=', filter.username.toLowerCase())
  }
  if (filter.active) query = query.where('state', '=', 'active').where('user_type', '!=', 'ghost')
  if (filter.blocked) query = query.where('state', '=', 'blocked')
  if (filter.external) query = query.where('external', '=', true)
  if (filter.exclude_external) query = query.where('external', '=', false)
  if (filter.exclude_internal) query = query.where('user_type', '!=', 'ghost')
  if (filter.two_factor === 'enabled') query = query.where('two_factor_enabled', '=', true)
  if (filter.two_factor === 'disabled') query = query.where('two_factor_enabled', '=', false)
  const term = filter.search?.replace(/^@/, '')
  if (term) {
    const email = filter.searchesAllEmails ? 'email' : 'public_email'
    const isShort = term.length < 3
    query = query.where((eb) =>
      eb.or([
        isShort ? eb(lower('name'), '=', term.toLowerCase()) : containsText('name', term),
        isShort ? eb(lower('username'), '=', term.toLowerCase()) : containsText('username', term),
        eb(sql<string>`lower(${sql.ref(email)})`, '=', term.toLowerCase()),
      ]),
    )
  }
  return query
}
