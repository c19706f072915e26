// Filters and orders of lists of users (docs/api/users.md, "List").
import { type NotNull, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db, Schema } from '../../../db/db.ts'
import {
  containsTextCondition,
  isIndexSearchable,
  isPostgres,
  lowerCaseExpression,
  lowerCaseForExpression,
  textMatchQuery,
} from '../../../db/dialect.ts'
import { countRows, totalFromPage } from '../../../db/paginate.ts'
import { internalUserTypes, type User } from '../../../subjects/user.ts'
import {
  type CustomAttributeFilter,
  hasCustomAttributesCondition,
} from '../../basics/custom-attributes/custom-attribute.ts'

export type UserFilter = {
  search?: string
  username?: string
  active?: boolean
  blocked?: boolean
  blocked_pending_approval?: boolean
  external?: boolean
  exclude_external?: boolean
  exclude_internal?: boolean
  created_after?: string
  created_before?: string
  without_projects?: boolean
  admins?: boolean
  two_factor?: 'enabled' | 'disabled'
  identity?: { provider: string; extern_uid: string }
  saml_provider_id?: number
  attributes?: CustomAttributeFilter
  /** Whether the search includes all addresses, also secondary ones, and not only the public one. */
  searchesAllEmails: boolean
}

export const userOrders = ['id', 'name', 'username', 'created_at', 'updated_at'] as const
export type UserOrder = { by: (typeof userOrders)[number]; sort: 'asc' | 'desc' }

type Users = SelectQueryBuilder<Schema, 'users', object>

/**
 * Returns one page of users and their total (undefined if more than are counted). Without an order, the newest or the
 * best matches of a search come first. Ties are broken by id in the same direction.
 */
export async function listUsers(
  db: Db,
  { filter, order }: { filter: UserFilter; order: UserOrder | undefined },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: User[]; total: number | undefined }> {
  const matching = filteredUsers(db, filter)
  const term = termOf(filter)
  const ordered =
    term === undefined || order
      ? byOrder(matching, order ?? newestFirst, {
          isSearchOfPostgres: term !== undefined && isPostgres(db),
        })
      : byFit(db, matching, term, emailColumn(filter))
  const rows = await ordered.selectAll().limit(per_page).offset(offset).execute()
  const page = { found: rows.length, offset, per_page }
  return { rows, total: await totalFromPage(page, () => countRows(db, matching.select('id'))) }
}

const newestFirst: UserOrder = { by: 'id', sort: 'desc' }

function byOrder(
  query: Users,
  { by, sort }: UserOrder,
  { isSearchOfPostgres }: { isSearchOfPostgres: boolean },
): Users {
  if (by !== 'id') return query.orderBy(by, sort).orderBy('id', sort)
  // The expression prevents use of the index on ids. With it PostgreSQL would read users in the order of ids
  // until enough match, since it assumes that matches are spread evenly.
  return query.orderBy(isSearchOfPostgres ? sql`id + 0` : 'id', sort)
}

/**
 * Orders by quality of the match: equal name first, then equal username, then equal address, then the rest by
 * name.
 */
function byFit(db: Db, query: Users, term: string, email: string): Users {
  return query
    .orderBy(
      sql`case when ${lowerCaseForExpression(db, 'name', term)} = ${term} then 0 when lower(username) = ${term} then 1
        when lower(${sql.ref(email)}) = ${term} then 2 else 3 end`,
    )
    .orderBy('name')
    .orderBy('id', 'desc')
}

/** Returns the search term in lower case and without the `@` of a mention. */
function termOf({ search }: UserFilter): string | undefined {
  return search?.replace(/^@/, '').toLowerCase() || undefined
}

function emailColumn({ searchesAllEmails }: UserFilter): 'email' | 'public_email' {
  return searchesAllEmails ? 'email' : 'public_email'
}

function filteredUsers(db: Db, filter: UserFilter): Users {
  let query: Users = db.selectFrom('users')
  const { username, identity, saml_provider_id } = filter
  if (username !== undefined)
    query = query.where(lowerCaseExpression('username'), '=', username.toLowerCase())
  if (filter.active)
    query = query.where('state', '=', 'active').where('user_type', 'not in', internalUserTypes)
  // The second condition lets the query use the partial index on users who are not active.
  if (filter.blocked) query = query.where('state', '=', 'blocked').where('state', '<>', 'active')
  if (filter.blocked_pending_approval) {
    query = query.where('state', '=', 'blocked_pending_approval').where('state', '<>', 'active')
  }
  if (filter.external) query = query.where(sql<boolean>`external`)
  if (filter.exclude_external) query = query.where('external', '=', false)
  if (filter.exclude_internal) query = query.where('user_type', 'not in', internalUserTypes)
  if (filter.created_after) query = query.where('created_at', '>=', filter.created_after)
  if (filter.created_before) query = query.where('created_at', '<=', filter.created_before)
  if (filter.admins) query = query.where(sql<boolean>`is_admin`)
  if (filter.two_factor) {
    query = query.where('two_factor_enabled', '=', filter.two_factor === 'enabled')
  }
  if (filter.without_projects) query = query.where(hasNoProject)
  if (identity) {
    query = query.where('id', 'in', (eb) =>
      eb
        .selectFrom('identities')
        .select('user_id')
        .where('provider', '=', identity.provider)
        .where('extern_uid', '=', identity.extern_uid),
    )
  }
  if (saml_provider_id !== undefined) {
    query = query.where('id', 'in', (eb) =>
      eb
        .selectFrom('identities')
        .select('user_id')
        .where('saml_provider_id', '=', saml_provider_id),
    )
  }
  const { attributes = [] } = filter
  if (attributes.length > 0)
    query = query.where(hasCustomAttributesCondition('user', 'users.id', attributes))
  const term = termOf(filter)
  return term === undefined ? query : query.where(matchesTerm(db, term, emailColumn(filter)))
}

/** Whether the user has no project: of their own, through groups or through invitations. */
const hasNoProject: RawBuilder<boolean> = sql<boolean>`not exists (
    select 1 from project_access where project_access.user_id = users.id)
  and not exists (
    select 1 from namespace_access
    join projects on projects.namespace_id = namespace_access.namespace_id
    where namespace_access.user_id = users.id and projects.state = 'ready')`

/**
 * Matches part of the name or username, or a whole email address. Terms shorter than three characters match
 * only a whole name or username, for which an index exists. An index exists for each alternative.
 */
function matchesTerm(db: Db, term: string, email: 'email' | 'public_email'): RawBuilder<boolean> {
  const fits = (column: string) =>
    term.length < 3
      ? sql<boolean>`${lowerCaseForExpression(db, column, term)} = ${term}`
      : containsTextCondition(db, column, term)
  const byEmail =
    email === 'email'
      ? sql<boolean>`(lower(email) = ${term} or users.id =
          (select emails.user_id from emails where lower(emails.email) = ${term}))`
      : sql<boolean>`(lower(public_email) = ${term} and public_email <> '')`
  const byName = sql<boolean>`(${fits('name')} or ${fits('username')})`
  if (!isIndexSearchable(db, term)) return sql<boolean>`(${byName} or ${byEmail})`
  const indexed = sql`users.id in (${textMatchQuery('user_texts', term)})`
  return sql<boolean>`(${indexed} and ${byName} or ${byEmail})`
}

export type LastUserActivity = { username: string; last_activity_on: string }

/** Returns one page of the users who were active on that day or later, those inactive for the longest first. */
export async function listLastUserActivities(
  db: Db,
  { from }: { from: string },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: LastUserActivity[]; total: number | undefined }> {
  const query = db.selectFrom('users').where('last_activity_on', '>=', from)
  const rows = await query
    .select(['username', 'last_activity_on'])
    .$narrowType<{ last_activity_on: NotNull }>()
    .orderBy('last_activity_on')
    .orderBy('id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, query.select('id')) }
}
