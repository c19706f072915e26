import type { ExpressionBuilder, Insertable, Selectable, Updateable } from 'kysely'
import type { Actor, Viewer } from '../../../access/actor.ts'
import { visibleProjectCondition } from '../../../access/visibility.ts'
import type { Db, ReleaseLinkTable, ReleaseTable, Schema } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import { visibleIssuableCondition } from '../../../subjects/issuable.ts'
import type { User } from '../../../subjects/user.ts'
import type { Release } from './release.ts'

export type ReleaseLink = Selectable<ReleaseLinkTable>

export type ReleaseOrder = {
  order_by?: 'released_at' | 'created_at'
  sort?: 'asc' | 'desc'
}
type Range = { offset: number; per_page: number }

/** Returns one page of a project's releases; equal times are ordered by id. */
export async function listReleases(
  db: Db,
  project_id: number,
  {
    order_by = 'released_at',
    sort = 'desc',
    updated_after,
    updated_before,
    offset,
    per_page,
  }: ReleaseOrder & Range & { updated_after?: string; updated_before?: string },
): Promise<{ rows: Release[]; total: number | undefined }> {
  let query = db.selectFrom('releases').where('project_id', '=', project_id)
  if (updated_after) query = query.where('updated_at', '>=', updated_after)
  if (updated_before) query = query.where('updated_at', '<=', updated_before)
  const rows = await query
    .selectAll()
    .orderBy(order_by, sort)
    .orderBy('id', sort)
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

/** Returns one page of the releases of visible projects in and below a group. */
export async function listGroupReleases(
  db: Db,
  { actor, group_id, sort = 'desc' }: { actor: Actor; group_id: number } & ReleaseOrder,
  { offset, per_page }: Range,
): Promise<{ rows: Release[]; total: number | undefined }> {
  const query = db
    .selectFrom('releases')
    .innerJoin('projects', 'projects.id', 'releases.project_id')
    .where('projects.state', '=', 'ready')
    .where('projects.namespace_id', 'in', (eb) =>
      eb
        .selectFrom('namespace_ancestors')
        .select('namespace_ancestors.namespace_id')
        .where('namespace_ancestors.ancestor_id', '=', group_id),
    )
    .where(visibleProjectCondition(actor))
  const rows = await query
    .selectAll('releases')
    .orderBy('releases.released_at', sort)
    .orderBy('releases.id', sort)
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, query.select('releases.id')) }
}

/** Inserts a release; returns undefined if the tag has one already. */
export function insertRelease(
  tx: Db,
  release: Insertable<ReleaseTable>,
): Promise<Release | undefined> {
  return tx
    .insertInto('releases')
    .values(release)
    .onConflict((conflict) => conflict.columns(['project_id', 'tag']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Returns the changed row; undefined if it was deleted meanwhile. */
export function updateRelease(
  tx: Db,
  id: number,
  changes: Updateable<ReleaseTable>,
): Promise<Release | undefined> {
  return tx
    .updateTable('releases')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Returns the releases of those tags that have one. */
export async function findReleasesByTags(
  db: Db,
  project_id: number,
  tags: readonly string[],
): Promise<Pick<Release, 'id' | 'author_id'>[]> {
  if (tags.length === 0) return []
  return db
    .selectFrom('releases')
    .select(['id', 'author_id'])
    .where('project_id', '=', project_id)
    .where('tag', 'in', tags)
    .execute()
}

/** Deletes a release; returns false if it was deleted before. */
export async function deleteRelease(tx: Db, id: number): Promise<boolean> {
  const { numDeletedRows } = await tx.deleteFrom('releases').where('id', '=', id).executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns the links of each release, newest first. */
export async function findLinksByReleaseIds(
  db: Db,
  releaseIds: readonly number[],
): Promise<Map<number, ReleaseLink[]>> {
  if (releaseIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('release_links')
    .selectAll()
    .where('release_id', 'in', releaseIds)
    .orderBy('id', 'desc')
    .execute()
  return Map.groupBy(rows, ({ release_id }) => release_id)
}

export async function findReleaseAuthors(
  db: Db,
  ids: readonly number[],
): Promise<Map<number, Pick<User, 'id' | 'username' | 'name' | 'state' | 'avatar'>>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(['id', 'username', 'name', 'state', 'avatar'])
    .where('id', 'in', ids)
    .execute()
  return new Map(rows.map((user) => [user.id, user]))
}

/** Returns one page of the links of a release, newest first. */
export async function listReleaseLinks(
  db: Db,
  release_id: number,
  { offset, per_page }: Range,
): Promise<{ rows: ReleaseLink[]; total: number | undefined }> {
  const query = db.selectFrom('release_links').where('release_id', '=', release_id)
  const rows = await query
    .selectAll()
    .orderBy('id', 'desc')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

/** Whether the release has that many links. */
export async function hasReleaseLinksAtLeast(
  db: Db,
  release_id: number,
  count: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('release_links')
    .select('id')
    .where('release_id', '=', release_id)
    .orderBy('id')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export function findReleaseLink(
  db: Db,
  { release_id, id }: { release_id: number; id: number },
): Promise<ReleaseLink | undefined> {
  return db
    .selectFrom('release_links')
    .selectAll()
    .where('release_id', '=', release_id)
    .where('id', '=', id)
    .executeTakeFirst()
}

export async function insertReleaseLinks(
  tx: Db,
  links: readonly Insertable<ReleaseLinkTable>[],
): Promise<void> {
  if (links.length > 0) await tx.insertInto('release_links').values(links).execute()
}

/**
 * Inserts a link. Throws an error that `findViolatedIndex` recognizes if another link of the release has its name, URL or
 * path.
 */
export function insertReleaseLink(
  tx: Db,
  link: Insertable<ReleaseLinkTable>,
): Promise<ReleaseLink> {
  return tx.insertInto('release_links').values(link).returningAll().executeTakeFirstOrThrow()
}

/** Updates a link; returns undefined if it was deleted meanwhile. */
export function updateReleaseLink(
  tx: Db,
  id: number,
  changes: Updateable<ReleaseLinkTable>,
): Promise<ReleaseLink | undefined> {
  return tx
    .updateTable('release_links')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function deleteReleaseLink(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('release_links').where('id', '=', id).execute()
}

/** Returns those of the ids that are milestones of the project or of groups above it. */
export function filterUsableMilestoneIds(
  db: Db,
  { id, namespace_id }: { id: number; namespace_id: number },
  ids: readonly number[],
): Promise<{ id: number }[]> {
  return db
    .selectFrom('milestones')
    .select('id')
    .where('id', 'in', ids)
    .where((eb) =>
      eb.or([
        eb('project_id', '=', id),
        eb(
          'namespace_id',
          'in',
          eb
            .selectFrom('namespace_ancestors')
            .select('ancestor_id')
            .where('namespace_ancestors.namespace_id', '=', namespace_id),
        ),
      ]),
    )
    .execute()
}

/** Returns the milestones of each release, with the number of their issues that the viewer can see. */
export async function findReleaseMilestones(
  db: Db,
  viewer: Viewer,
  releaseIds: readonly number[],
): Promise<{ release_id: number; milestone_id: number; total: number; closed: number }[]> {
  if (releaseIds.length === 0) return []
  const issues = (eb: ExpressionBuilder<Schema, 'release_milestones'>) =>
    eb
      .selectFrom('issuables')
      .innerJoin('projects', 'projects.id', 'issuables.project_id')
      .select((inner) => inner.fn.countAll<number | string>().as('count'))
      .where('projects.state', '=', 'ready')
      .where(visibleIssuableCondition(viewer, 'issue'))
      .whereRef('issuables.milestone_id', '=', 'release_milestones.milestone_id')
      .where('issuables.kind', '=', 'issue')
  const rows = await db
    .selectFrom('release_milestones')
    .select((eb) => [
      'release_id',
      'milestone_id',
      issues(eb).as('total'),
      issues(eb).where('issuables.state', '=', 'closed').as('closed'),
    ])
    .where('release_id', 'in', releaseIds)
    .orderBy('milestone_id')
    .execute()
  return rows.map((row) => ({
    ...row,
    total: Number(row.total ?? 0),
    closed: Number(row.closed ?? 0),
  }))
}

/** Returns the projects of releases, with the user's level on each. */
export async function findReleaseProjects(
  db: Db,
  { user_id, ids }: { user_id: number; ids: readonly number[] },
) {
  if (ids.length === 0) return []
  return db
    .selectFrom('projects')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .leftJoin('namespace_access as on_namespace', (join) =>
      join
        .onRef('on_namespace.namespace_id', '=', 'projects.namespace_id')
        .on('on_namespace.user_id', '=', user_id),
    )
    .leftJoin('project_access as on_project', (join) =>
      join
        .onRef('on_project.project_id', '=', 'projects.id')
        .on('on_project.user_id', '=', user_id),
    )
    .select([
      'projects.id',
      'projects.path',
      'projects.visibility',
      'projects.archived',
      'projects.repository_access_level',
      'projects.repository_storage',
      'projects.issues_access_level',
      'projects.merge_requests_access_level',
      'namespaces.full_path as namespace_path',
      'on_namespace.access_level as namespace_level',
      'on_project.access_level as project_level',
    ])
    .where('projects.id', 'in', ids)
    .execute()
}

/** Replaces the milestones of a release. */
export async function replaceReleaseMilestones(
  tx: Db,
  release_id: number,
  milestoneIds: readonly number[],
): Promise<void> {
  await tx.deleteFrom('release_milestones').where('release_id', '=', release_id).execute()
  if (milestoneIds.length === 0) return
  await tx
    .insertInto('release_milestones')
    .values(milestoneIds.map((milestone_id) => ({ release_id, milestone_id })))
    .execute()
}
