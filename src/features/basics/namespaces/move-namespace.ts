// A group's new path or name reaches everything below it: full paths, full names and routes change in
// a handful of statements, and every full path that was left goes on leading to what it led to.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/db.ts'
import { lower, violatedUnique } from '../../../db/dialect.ts'
import { type ApiError, invalid } from '../../../kernel/errors.ts'
import type { Group } from '../../../subjects/group.ts'
import { projectsWithin, subtree } from '../../../subjects/subtree.ts'
import { type Claimant, redirectsOfOthers } from './namespace.ts'

type Place = {
  path: string
  name: string
  /** What it is to be in, null for the top; absent, it stays in what it is in. */
  parent?: Pick<Group, 'full_path' | 'full_name'> | null
  claimant: Claimant
}

/**
 * Renames a group or rebases it below a parent; 400 when the full path is taken. In the caller's
 * transaction, which has read both under the access lock.
 */
export async function moveNamespace(
  db: Db,
  group: Group,
  { path, name, parent, claimant }: Place,
): Promise<void> {
  const above = parent === undefined ? placeOf(group) : prefixOf(parent)
  const full_path = above.path + path
  const full_name = above.name + name
  if (full_path !== group.full_path) {
    const isOtherPath = full_path.toLowerCase() !== group.full_path.toLowerCase()
    if (isOtherPath) await leaveRedirects(db, group.id)
    await moveRoutes(db, group, full_path)
    if (await isKept(db, group.id, claimant)) throw taken()
    if (isOtherPath) await dropShadowedRedirects(db, group.id)
  }
  await db
    .updateTable('namespaces')
    .set({
      full_path: reprefixed('full_path', group.full_path, full_path),
      full_name: reprefixed('full_name', group.full_name, full_name),
    })
    .where('id', 'in', subtree(db, group.id))
    .execute()
  await db.updateTable('namespaces').set({ path, name }).where('id', '=', group.id).execute()
}

function placeOf({ full_path, path, full_name, name }: Group): { path: string; name: string } {
  return { path: full_path.slice(0, -path.length), name: full_name.slice(0, -name.length) }
}

function prefixOf(parent: NonNullable<Place['parent']> | null): { path: string; name: string } {
  return {
    path: parent ? `${parent.full_path}/` : '',
    name: parent ? `${parent.full_name} / ` : '',
  }
}

/** `column` with its beginning replaced; both databases count code points. */
function reprefixed(column: string, before: string, after: string): RawBuilder<string> {
  const start = [...before].length + 1
  return sql<string>`cast(${after} as text) || substr(${sql.ref(column)}, ${sql.lit(start)})`
}

function routesWithin(db: Db, id: number) {
  return db
    .selectFrom('routes')
    .where((eb) =>
      eb.or([
        eb('routes.namespace_id', 'in', subtree(db, id)),
        eb('routes.project_id', 'in', projectsWithin(db, id)),
      ]),
    )
}

/** The newest former owner of a path has its redirect. */
async function leaveRedirects(db: Db, id: number): Promise<void> {
  await dropShadowedRedirects(db, id)
  await db
    .insertInto('redirects')
    .columns(['path', 'namespace_id', 'project_id'])
    .expression(routesWithin(db, id).select(['path', 'namespace_id', 'project_id']))
    .execute()
}

async function moveRoutes(db: Db, group: Group, full_path: string): Promise<void> {
  try {
    await db
      .updateTable('routes')
      .set({ path: reprefixed('path', group.full_path, full_path) })
      .where((eb) =>
        eb.or([
          eb('namespace_id', 'in', subtree(db, group.id)),
          eb('project_id', 'in', projectsWithin(db, group.id)),
        ]),
      )
      .execute()
  } catch (error) {
    if (violatedUnique(error) === undefined) throw error
    throw taken()
  }
}

function taken(): ApiError {
  return invalid({ path: ['has already been taken'] })
}

/** Whether any full path now leads here that something outside had, in which the claimant has no say. */
async function isKept(db: Db, id: number, claimant: Claimant): Promise<boolean> {
  const found = await redirectsOfOthers(db, claimant)
    .where(
      lower('redirects.path'),
      'in',
      routesWithin(db, id).select(lower('routes.path').as('path')),
    )
    .where((eb) =>
      eb.or([
        eb('redirects.namespace_id', 'not in', subtree(db, id)),
        eb('redirects.project_id', 'not in', projectsWithin(db, id)),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** A path that leads to something now needs no redirect. */
async function dropShadowedRedirects(db: Db, id: number): Promise<void> {
  await db
    .deleteFrom('redirects')
    .where(lower('path'), 'in', routesWithin(db, id).select(lower('routes.path').as('path')))
    .execute()
}
