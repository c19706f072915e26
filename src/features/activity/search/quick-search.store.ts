// Finds a few records of each kind by the beginning or a part of their name. Every query is bounded by an index and a
// limit, so a part of a name may be missed if very many names contain it.
import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Actor, isAdmin, narrowToViewer } from '../../../access/actor.ts'
import {
  visibilitiesOpenTo,
  visibleNamespaceCondition,
  visibleProjectCondition,
} from '../../../access/visibility.ts'
import type { Db, Visibility } from '../../../db/db.ts'
import {
  byteOrderExpression,
  containsTextCondition,
  isIndexSearchable,
  keepsPlanHint,
  startsWithCondition,
  textMatchQuery,
} from '../../../db/dialect.ts'
import { limits } from '../../../kernel/limits.ts'
import type { IssuableKind } from '../../../subjects/issuable.ts'
import { matchingIssuablesQuery } from '../../planning/issuables/list-issuables.ts'

const { hits, parts, held } = limits.quick_search

/** Shorter texts match only the beginnings of names. */
const part_characters_min = 3

type Ids = RawBuilder<unknown>

/** Ranks a match: 0 if a name equals the text, 1 if it begins with it, 2 if it contains it. */
function fitOf(db: Db, columns: readonly string[], text: string): RawBuilder<number> {
  const wanted = text.toLowerCase()
  const either = (conditions: RawBuilder<unknown>[]) => sql.join(conditions, sql` or `)
  return sql<number>`case
    when ${either(columns.map((column) => sql`lower(${sql.ref(column)}) = ${wanted}`))} then 0
    when ${either(columns.map((column) => sql`(${startsWithCondition(db, column, text)})`))} then 1
    else 2 end`
}

/** Whether one of the columns contains the text; a short text must be a prefix. */
function fits(db: Db, columns: readonly string[], text: string): RawBuilder<SqlBool> {
  const isShort = [...text].length < part_characters_min
  const conditions = columns.map((column) =>
    isShort
      ? sql`(${startsWithCondition(db, column, text)})`
      : containsTextCondition(db, column, text),
  )
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}

/**
 * Selects the first few rows whose column begins with the text. `where` is the condition of the partial
 * index.
 */
function beginning(
  db: Db,
  { table, column, where }: { table: string; column: string; where: RawBuilder<unknown> },
  text: string,
): Ids {
  const name = `${table}.${column}`
  return sql`select * from (select ${sql.ref(`${table}.id`)} as id from ${sql.table(table)}
    where ${where} and ${startsWithCondition(db, name, text)}
    order by ${byteOrderExpression(db, name)} limit ${sql.lit(hits)}) as begun`
}

/** Selects the newest rows that contain the text; none for a text that is too short. */
function withPart(
  db: Db,
  { table, index }: { table: string; index: 'project_texts' | 'user_texts' },
  { columns, text }: { columns: readonly string[]; text: string },
): Ids[] {
  if ([...text].length < part_characters_min) return []
  const indexed = isIndexSearchable(db, text)
    ? sql`${textMatchQuery(index, text)} order by rowid desc`
    : sql`select id from ${sql.table(table)} where ${fits(db, columns, text)}`
  return [sql`select * from (${indexed} limit ${sql.lit(parts)}) as parted`]
}

const anyOf = (ids: Ids[]): RawBuilder<unknown> => sql`(${sql.join(ids, sql` union all `)})`

function visibilitiesOf(actor: Actor): Visibility[] {
  return isAdmin(actor)
    ? ['public', 'internal', 'private']
    : visibilitiesOpenTo(narrowToViewer(actor))
}

/**
 * Returns visible projects whose name or path begins with or contains the text, and those that the caller is a member of.
 */
export function quickSearchProjects(db: Db, actor: Actor, text: string) {
  const names = ['path', 'name']
  const columns = ['projects.path', 'projects.name']
  const open = visibilitiesOf(actor).flatMap((visibility) =>
    names.map((column) => {
      const where = sql`projects.state = 'ready' and projects.visibility = ${visibility}`
      return beginning(db, { table: 'projects', column, where }, text)
    }),
  )
  const user_id = actor.user?.id ?? 0
  const heldNames = ['held.path', 'held.name']
  const own = sql`select * from (select held.id from (
      select projects.id, projects.path, projects.name from namespace_access
      join projects on projects.namespace_id = namespace_access.namespace_id
      where namespace_access.user_id = ${user_id}
      union all
      select projects.id, projects.path, projects.name from project_access
      join projects on projects.id = project_access.project_id
      where project_access.user_id = ${user_id}
      limit ${sql.lit(held)}) as held
    where ${fits(db, heldNames, text)}
    order by ${fitOf(db, heldNames, text)}, held.id desc limit ${sql.lit(hits)}) as own`
  const candidates = anyOf([
    ...open,
    ...(user_id === 0 || isAdmin(actor) ? [] : [own]),
    ...withPart(db, { table: 'projects', index: 'project_texts' }, { columns, text }),
  ])
  const fit = fitOf(db, columns, text)
  return db
    .selectFrom('projects')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .select(['projects.id', 'projects.name', 'projects.avatar'])
    .select([sql<string>`namespaces.full_path || '/' || projects.path`.as('path'), fit.as('fit')])
    .where('projects.state', '=', sql.lit('ready'))
    .where(sql<SqlBool>`projects.id in ${candidates}`)
    .where(fits(db, columns, text))
    .where(visibleProjectCondition(narrowToViewer(actor)))
    .orderBy(fit)
    .orderBy('projects.last_activity_at', 'desc')
    .orderBy('projects.id', 'desc')
    .limit(sql.lit(hits))
    .modifyFront(keepsPlanHint)
    .execute()
}

/**
 * Returns visible groups whose name or path begins with the text; those that the caller is a member of also if they contain
 * it.
 */
export function quickSearchGroups(db: Db, actor: Actor, text: string) {
  const names = ['path', 'name']
  const columns = ['namespaces.path', 'namespaces.name']
  const open = visibilitiesOf(actor).flatMap((visibility) =>
    names.map((column) => {
      const where = sql`namespaces.kind = 'group' and namespaces.visibility = ${visibility}`
      return beginning(db, { table: 'namespaces', column, where }, text)
    }),
  )
  const user_id = actor.user?.id ?? 0
  const own = sql`select namespaces.id from namespaces where namespaces.id in (
      select ancestor_id from namespace_ancestors where namespace_id in (
        select * from (select namespace_id from namespace_access where user_id = ${user_id}
          union select projects.namespace_id from project_access
          join projects on projects.id = project_access.project_id
          where project_access.user_id = ${user_id}
          limit ${sql.lit(held)}) as held))
    and ${fits(db, columns, text)}`
  const fit = fitOf(db, columns, text)
  return db
    .selectFrom('namespaces')
    .select(['id', 'name', 'avatar', 'full_path as path', fit.as('fit')])
    .where('kind', '=', sql.lit('group'))
    .where('state', '=', 'ready')
    .where(sql<SqlBool>`namespaces.id in ${anyOf(user_id === 0 ? open : [...open, own])}`)
    .where(visibleNamespaceCondition(narrowToViewer(actor)))
    .orderBy(fit)
    .orderBy('full_path')
    .limit(sql.lit(hits))
    .modifyFront(keepsPlanHint)
    .execute()
}

/** Returns active users by username or name. */
export function quickSearchUsers(db: Db, text: string) {
  const columns = ['users.username', 'users.name']
  const where = sql`users.state = 'active' and users.user_type = 'human'`
  const candidates = anyOf([
    beginning(db, { table: 'users', column: 'username', where }, text),
    beginning(db, { table: 'users', column: 'name', where }, text),
    ...withPart(db, { table: 'users', index: 'user_texts' }, { columns, text }),
  ])
  const fit = fitOf(db, columns, text)
  return db
    .selectFrom('users')
    .select(['id', 'name', 'avatar', 'username as path', fit.as('fit')])
    .where('state', '=', 'active')
    .where('user_type', '=', 'human')
    .where(sql<SqlBool>`users.id in ${candidates}`)
    .where(fits(db, columns, text))
    .orderBy(fit)
    .orderBy('username')
    .limit(sql.lit(hits))
    .modifyFront(keepsPlanHint)
    .execute()
}

/**
 * Returns open issues or merge requests that the caller created or is assigned to, by title, or by number if one is given.
 * Searches only the newest of them.
 */
export async function quickSearchOwnIssuables(
  db: Db,
  actor: Actor,
  { kind, text, iid, today }: { kind: IssuableKind; text: string; iid?: number; today: string },
) {
  const user_id = actor.user?.id ?? 0
  const newest = sql.lit(parts)
  const own = sql<SqlBool>`issuables.id in (
    select * from (select id from issuables where author_id = ${user_id} and kind = ${sql.lit(kind)}
      order by created_at desc, id desc limit ${newest}) as made
    union all
    select * from (select issuable_id from issuable_assignees where user_id = ${user_id}
      order by issuable_id desc limit ${newest}) as assigned)`
  const titled = fits(db, ['issuables.title'], text)
  const named = iid === undefined ? titled : sql<SqlBool>`issuables.iid = ${iid} or ${titled}`
  const fit =
    iid === undefined
      ? fitOf(db, ['issuables.title'], text)
      : sql<number>`case when issuables.iid = ${iid} then 0 else 2 end`
  const matching = await matchingIssuablesQuery(db, {
    kind,
    viewer: narrowToViewer(actor),
    place: { everywhere: true, withArchived: true },
    filter: { state: 'opened', own: [() => own, () => sql<SqlBool>`(${named})`] },
    today,
  })
  return matching
    .innerJoin('projects as place', 'place.id', 'issuables.project_id')
    .innerJoin('namespaces as above', 'above.id', 'place.namespace_id')
    .select(['issuables.id', 'issuables.iid', 'issuables.kind', 'issuables.project_id'])
    .select(['issuables.title as name', fit.as('fit')])
    .select(sql<string>`above.full_path || '/' || place.path`.as('full_path'))
    .orderBy(fit)
    .orderBy('issuables.updated_at', 'desc')
    .orderBy('issuables.id', 'desc')
    .limit(sql.lit(hits))
    .modifyFront(keepsPlanHint)
    .execute()
}
