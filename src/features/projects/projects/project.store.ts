import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Actor } from '../../../access/actor.ts'
import { visibleNamespaceCondition } from '../../../access/visibility.ts'
import { defineListLoader } from '../../../db/compiled-query.ts'
import type { Db, ProjectTable } from '../../../db/db.ts'
import {
  encodeIdSet,
  idSetQuery,
  isInIdsCondition,
  jsonTextArrayExpression,
  lowerCaseExpression,
} from '../../../db/dialect.ts'
import { removeProjectTopics } from '../topics/topic.ts'

/** A whole project row with everything that its JSON shows. */
export type ProjectRecord = Selectable<ProjectTable> & {
  namespace_name: string
  namespace_path: string
  namespace_kind: 'user' | 'group'
  namespace_full_path: string
  namespace_full_name: string
  namespace_parent_id: number | null
  namespace_avatar: string | null
  owner_id: number | null
  owner_name: string | null
  owner_username: string | null
  owner_created_at: string | null
  owner_state: string | null
  owner_avatar: string | null
  commit_count: number
  repository_size: number
  lfs_objects_size: number
  job_artifacts_size: number
  wiki_size: number
  open_issues: number
  open_confidential_issues: number
  readme_commit: string | null
  readme_path: string | null
  /** The caller's access levels through the namespace, and on the project itself. */
  namespace_level: number | null
  project_level: number | null
  topics: string[]
  shares: ProjectShareRow[]
  forks_count: number
  star_count: number
  /** The project that it was forked from, if that still exists. */
  source: ProjectRecord | undefined
}

export type ProjectShareRow = {
  project_id: number
  group_id: number
  group_name: string
  group_full_path: string
  group_access_level: number
  expires_at: string | null
}

const openIssues = (isConfidential: boolean) =>
  sql<number>`coalesce((select number from issuable_counts
    where issuable_counts.project_id = projects.id and kind = 'issue' and state = 'opened'
    and confidential = ${sql.lit(isConfidential)}), 0)`

function recordsQuery(db: Db, { userId, ids }: { userId: number; ids: string }) {
  return (
    db
      .selectFrom('projects')
      .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
      .leftJoin('users as owner', 'owner.id', 'namespaces.owner_id')
      .leftJoin('project_statistics as statistics', 'statistics.project_id', 'projects.id')
      .leftJoin('namespace_access as on_namespace', (join) =>
        join
          .onRef('on_namespace.namespace_id', '=', 'projects.namespace_id')
          .on('on_namespace.user_id', '=', userId),
      )
      .leftJoin('project_access as on_project', (join) =>
        join
          .onRef('on_project.project_id', '=', 'projects.id')
          .on('on_project.user_id', '=', userId),
      )
      .selectAll('projects')
      .select([
        'namespaces.name as namespace_name',
        'namespaces.path as namespace_path',
        'namespaces.kind as namespace_kind',
        'namespaces.full_path as namespace_full_path',
        'namespaces.full_name as namespace_full_name',
        'namespaces.parent_id as namespace_parent_id',
        'namespaces.avatar as namespace_avatar',
        'owner.id as owner_id',
        'owner.name as owner_name',
        'owner.username as owner_username',
        'owner.created_at as owner_created_at',
        'owner.state as owner_state',
        'owner.avatar as owner_avatar',
        sql<number>`(select count(*) from projects as forks
        where forks.forked_from_id = projects.id and forks.state = 'ready')`.as('forks_count'),
        sql<number>`(select count(*) from project_stars
        where project_stars.project_id = projects.id)`.as('star_count'),
        sql<number>`(select count(*) from project_shares
        where project_shares.project_id = projects.id)`.as('shares_count'),
        sql<number>`coalesce(statistics.commit_count, 0)`.as('commit_count'),
        sql<number>`coalesce(statistics.repository_size, 0)`.as('repository_size'),
        sql<number>`coalesce(statistics.lfs_objects_size, 0)`.as('lfs_objects_size'),
        sql<number>`coalesce(statistics.job_artifacts_size, 0)`.as('job_artifacts_size'),
        sql<number>`coalesce((select size from wikis where wikis.project_id = projects.id), 0)`.as(
          'wiki_size',
        ),
        openIssues(false).as('open_issues'),
        openIssues(true).as('open_confidential_issues'),
        'statistics.readme_commit',
        'statistics.readme_path',
        'on_namespace.access_level as namespace_level',
        'on_project.access_level as project_level',
        jsonTextArrayExpression(
          db,
          sql`select name as value from project_topics where project_topics.project_id = projects.id`,
        ).as('topics'),
      ])
      // A single set of ids makes both databases look up the rows by primary key.
      .where(
        isInIdsCondition(
          db,
          'projects.id',
          sql`${idSetQuery(db, ids)} union select forks.forked_from_id
            from projects as forks where forks.id in (${idSetQuery(db, ids)})`,
        ),
      )
  )
}

const recordsOf = defineListLoader(recordsQuery)

/**
 * Returns the records of these projects in the order of the ids, each with the record of its source, whether or not the
 * caller can see that. Runs one query for any number of projects, and another one if groups are invited.
 */
export async function listProjectRecords(
  db: Db,
  actor: Actor,
  ids: readonly number[],
): Promise<ProjectRecord[]> {
  if (ids.length === 0) return []
  const userId = actor.user?.id ?? 0
  const set = { userId, ids: encodeIdSet(db, ids) }
  const rows = await recordsOf(db, set)
  const shared = rows.filter(({ shares_count }) => shares_count > 0).map(({ id }) => id)
  const shares = shared.length > 0 ? await listShares(db, actor, shared) : []
  const sharesByProject = Map.groupBy(shares, (share) => share.project_id)
  const rowsById = new Map(rows.map((row) => [row.id, row]))
  return ids.flatMap((id) => {
    const row = rowsById.get(id)
    if (!row) return []
    const source = rowsById.get(row.forked_from_id ?? 0)
    const invited = sharesByProject.get(id)
    if (!invited && source?.state !== 'ready') return recordOf(row)
    const shown = source?.state === 'ready' ? recordOf(source) : undefined
    return { ...recordOf(row), shares: invited ?? [], source: shown }
  })
}

type Row = Readonly<Awaited<ReturnType<typeof recordsOf>>[number]>

const recordsByRow = new WeakMap<Row, ProjectRecord>()

/** Returns the record of a row. The same row always returns the same record, which must not be changed. */
function recordOf(row: Row): ProjectRecord {
  let record = recordsByRow.get(row)
  if (!record) {
    record = { ...row, topics: JSON.parse(row.topics), shares: [], source: undefined }
    recordsByRow.set(row, record)
  }
  return record
}

/** Lists the groups that are invited into projects, as far as the caller can see these groups. */
function listShares(db: Db, actor: Actor, ids: readonly number[]): Promise<ProjectShareRow[]> {
  return db
    .selectFrom('namespaces')
    .where(visibleNamespaceCondition(actor))
    .innerJoin('project_shares', 'project_shares.shared_with_id', 'namespaces.id')
    .select([
      'project_shares.project_id',
      'project_shares.shared_with_id as group_id',
      'namespaces.name as group_name',
      'namespaces.full_path as group_full_path',
      'project_shares.access_level as group_access_level',
      'project_shares.expires_at',
    ])
    .where('project_shares.project_id', 'in', ids)
    .orderBy('project_shares.id')
    .execute()
}

/** Inserts a project; returns undefined if the namespace has one with that name or path. */
export function insertProject(
  db: Db,
  project: Insertable<ProjectTable>,
): Promise<{ id: number } | undefined> {
  return db
    .insertInto('projects')
    .values(project)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
}

/** Returns which of name and path another project of the namespace has. */
export async function findTakenNameOrPath(
  db: Db,
  { namespace_id, name, path }: { namespace_id: number; name: string; path: string },
): Promise<{ name: boolean; path: boolean }> {
  const rows = await db
    .selectFrom('projects')
    .select(['name', 'path'])
    .where('namespace_id', '=', namespace_id)
    .where((eb) =>
      eb.or([eb('name', '=', name), eb(lowerCaseExpression('path'), '=', path.toLowerCase())]),
    )
    .execute()
  return {
    name: rows.some((row) => row.name === name),
    path: rows.some((row) => row.path.toLowerCase() === path.toLowerCase()),
  }
}

/** Returns the columns that the policy of a project is built from. */
export function getExpirationPolicyRow(db: Db, id: number) {
  return db
    .selectFrom('projects')
    .select(['created_at', 'container_expiration_policy'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

export async function updateProject(
  db: Db,
  id: number,
  changes: Updateable<ProjectTable>,
): Promise<void> {
  await db.updateTable('projects').set(changes).where('id', '=', id).execute()
}

/** Marks a project as ready; returns false if it was deleted meanwhile. */
export async function markProjectReady(db: Db, id: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('projects')
    .set({ state: 'ready' })
    .where('id', '=', id)
    .where('state', '=', 'creating')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes the row and, by cascade, everything in the database that belongs to the project. */
export async function deleteProject(db: Db, id: number): Promise<void> {
  await removeProjectTopics(db, { id })
  await db.deleteFrom('projects').where('id', '=', id).execute()
}

export async function countProjectsOfNamespace(db: Db, namespaceId: number): Promise<number> {
  const { count } = await db
    .selectFrom('projects')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('namespace_id', '=', namespaceId)
    .executeTakeFirstOrThrow()
  return count
}

export async function deleteProjectRoute(db: Db, projectId: number): Promise<void> {
  await db.deleteFrom('routes').where('project_id', '=', projectId).execute()
}

/** Redirects a former path of a project to it. If several projects had the path, the last one gets the redirect. */
export async function insertProjectRedirect(
  db: Db,
  { path, project_id }: { path: string; project_id: number },
): Promise<void> {
  await db
    .deleteFrom('redirects')
    .where(lowerCaseExpression('path'), '=', path.toLowerCase())
    .execute()
  await db.insertInto('redirects').values({ path, project_id, namespace_id: null }).execute()
}

/** Hides a project and frees its name and path at once. Its task deletes the rest. */
export async function markProjectDeleted(
  db: Db,
  { id, name, path }: { id: number; name: string; path: string },
): Promise<void> {
  await deleteProjectRoute(db, id)
  await db.deleteFrom('redirects').where('project_id', '=', id).execute()
  const suffix = `-deleted-${id}`
  await updateProject(db, id, {
    state: 'deleting',
    name: `${name}${suffix}`,
    path: `${path}${suffix}`,
  })
}

export async function hasUserStarredProject(
  db: Db,
  { project_id, user_id }: { project_id: number; user_id: number },
): Promise<boolean> {
  const star = await db
    .selectFrom('project_stars')
    .where('project_id', '=', project_id)
    .where('user_id', '=', user_id)
    .select('project_id')
    .executeTakeFirst()
  return star !== undefined
}
