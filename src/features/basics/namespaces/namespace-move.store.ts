// Changes full paths, full names, routes and redirects when a group moves.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../db/db.ts'
import { findViolatedIndex, lowerCaseExpression } from '../../../db/dialect.ts'
import type { Group } from '../../../subjects/group.ts'
import {
  groupAndDescendantIdsQuery,
  projectIdsWithinGroupQuery,
} from '../../../subjects/subtree.ts'
import { foreignRedirectsQuery, type PathClaimant } from './namespace.ts'

/** Replaces the prefix of `column`. Both databases count code points. */
function reprefixed(column: string, before: string, after: string): RawBuilder<string> {
  const start = [...before].length + 1
  return sql<string>`cast(${after} as text) || substr(${sql.ref(column)}, ${sql.lit(start)})`
}

/** Full paths and full names of the group and all below it, and its own path and name. */
export async function renameGroupAndDescendants(
  db: Db,
  group: Group,
  { path, name, full_path, full_name }: Pick<Group, 'path' | 'name' | 'full_path' | 'full_name'>,
): Promise<void> {
  await db
    .updateTable('namespaces')
    .set({
      full_path: reprefixed('full_path', group.full_path, full_path),
      full_name: reprefixed('full_name', group.full_name, full_name),
    })
    .where('id', 'in', groupAndDescendantIdsQuery(db, group.id))
    .execute()
  await db.updateTable('namespaces').set({ path, name }).where('id', '=', group.id).execute()
}

function routesWithin(db: Db, id: number) {
  return db
    .selectFrom('routes')
    .where((eb) =>
      eb.or([
        eb('routes.namespace_id', 'in', groupAndDescendantIdsQuery(db, id)),
        eb('routes.project_id', 'in', projectIdsWithinGroupQuery(db, id)),
      ]),
    )
}

/** Inserts redirects from the current paths of a namespace. The newest former owner of a path has its redirect. */
export async function insertRedirectsOfNamespace(db: Db, id: number): Promise<void> {
  await deleteShadowedRedirects(db, id)
  await db
    .insertInto('redirects')
    .columns(['path', 'namespace_id', 'project_id'])
    .expression(routesWithin(db, id).select(['path', 'namespace_id', 'project_id']))
    .execute()
}

/** False when one of the new paths is somebody's. */
export async function updateRoutesOfGroup(
  db: Db,
  group: Group,
  full_path: string,
): Promise<boolean> {
  try {
    await db
      .updateTable('routes')
      .set({ path: reprefixed('path', group.full_path, full_path) })
      .where((eb) =>
        eb.or([
          eb('namespace_id', 'in', groupAndDescendantIdsQuery(db, group.id)),
          eb('project_id', 'in', projectIdsWithinGroupQuery(db, group.id)),
        ]),
      )
      .execute()
    return true
  } catch (error) {
    if (findViolatedIndex(error) === undefined) throw error
    return false
  }
}

/** Whether a full path of the namespace is a former path of something outside, in which the claimant has no say. */
export async function hasForeignRedirects(
  db: Db,
  id: number,
  claimant: PathClaimant,
): Promise<boolean> {
  const found = await foreignRedirectsQuery(db, claimant)
    .where(
      lowerCaseExpression('redirects.path'),
      'in',
      routesWithin(db, id).select(lowerCaseExpression('routes.path').as('path')),
    )
    .where((eb) =>
      eb.or([
        eb('redirects.namespace_id', 'not in', groupAndDescendantIdsQuery(db, id)),
        eb('redirects.project_id', 'not in', projectIdsWithinGroupQuery(db, id)),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Deletes redirects from paths that now lead to something in the namespace. */
export async function deleteShadowedRedirects(db: Db, id: number): Promise<void> {
  await db
    .deleteFrom('redirects')
    .where(
      lowerCaseExpression('path'),
      'in',
      routesWithin(db, id).select(lowerCaseExpression('routes.path').as('path')),
    )
    .execute()
}
