import { type Selectable, sql } from 'kysely'
import type { Actor } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import type { Db, DeployKeyProjectTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'
import { limits } from '../../../kernel/limits.ts'
import type { SshKey } from '../../people/ssh-keys/ssh-key.ts'

/** A deploy key and its access to one project. */
export type EnabledDeployKey = SshKey & Pick<Selectable<DeployKeyProjectTable>, 'can_push'>

type Page = { offset: number; per_page: number }
type Link = { ssh_key_id: number; project_id: number }

/** Returns one page of the deploy keys that are enabled somewhere or public, in the order they were added. */
export async function listDeployKeys(
  db: Db,
  { is_public }: { is_public?: boolean },
  { offset, per_page }: Page,
): Promise<{ rows: SshKey[]; total: number | undefined }> {
  let query = db
    .selectFrom('ssh_keys')
    .where('user_id', 'is', null)
    .where((eb) =>
      eb.or([
        eb('is_public', '=', true),
        eb.exists(
          eb
            .selectFrom('deploy_key_projects')
            .select('deploy_key_projects.id')
            .whereRef('ssh_key_id', '=', 'ssh_keys.id'),
        ),
      ]),
    )
  if (is_public !== undefined) query = query.where('is_public', '=', is_public)
  const rows = await query.selectAll().orderBy('id').limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

export type ProjectOfDeployKey = {
  id: number
  description: string | null
  name: string
  path: string
  created_at: string
  namespace_full_path: string
  namespace_full_name: string
  can_push: boolean
}

/** Returns the projects in which each key is enabled, by key, at most as many of each kind as are shown. Runs one query. */
export async function listProjectsByDeployKey(
  db: Db,
  keyIds: readonly number[],
): Promise<Map<number, ProjectOfDeployKey[]>> {
  if (keyIds.length === 0) return new Map()
  const ranked = db
    .selectFrom('deploy_key_projects')
    .select(['ssh_key_id', 'project_id', 'can_push', 'deploy_key_projects.id as link_id'])
    .select(
      sql<number>`row_number() over (
        partition by ssh_key_id, can_push order by deploy_key_projects.id)`.as('rank'),
    )
    .where('ssh_key_id', 'in', keyIds)
  const rows = await db
    .selectFrom(ranked.as('link'))
    .innerJoin('projects', 'projects.id', 'link.project_id')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .select([
      'link.ssh_key_id',
      'link.can_push',
      'projects.id',
      'projects.description',
      'projects.name',
      'projects.path',
      'projects.created_at',
      'namespaces.full_path as namespace_full_path',
      'namespaces.full_name as namespace_full_name',
    ])
    .where('link.rank', '<=', limits.deploy_key_projects_max)
    .where('projects.state', '=', 'ready')
    .orderBy('link.link_id')
    .execute()
  return Map.groupBy(rows, ({ ssh_key_id }) => ssh_key_id)
}

function enabledKeys(db: Db, projectId: number) {
  return db
    .selectFrom('ssh_keys')
    .innerJoin('deploy_key_projects as link', 'link.ssh_key_id', 'ssh_keys.id')
    .where('link.project_id', '=', projectId)
    .where('ssh_keys.user_id', 'is', null)
}

/** Returns one page of a project's deploy keys, in the order they were enabled. */
export async function listEnabledDeployKeys(
  db: Db,
  projectId: number,
  { offset, per_page }: Page,
): Promise<{ rows: EnabledDeployKey[]; total: number | undefined }> {
  const query = enabledKeys(db, projectId)
  const rows = await query
    .selectAll('ssh_keys')
    .select('link.can_push')
    .orderBy('link.id')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, query.select('ssh_keys.id')) }
}

export function findEnabledDeployKey(
  db: Db,
  by: Link | { fingerprint_sha256: string; project_id: number },
): Promise<EnabledDeployKey | undefined> {
  const query = enabledKeys(db, by.project_id).selectAll('ssh_keys').select('link.can_push')
  return 'ssh_key_id' in by
    ? query.where('ssh_keys.id', '=', by.ssh_key_id).executeTakeFirst()
    : query.where('fingerprint_sha256', '=', by.fingerprint_sha256).executeTakeFirst()
}

/**
 * Returns a deploy key that the user may enable elsewhere, by id or fingerprint: a public one, one of a project that they
 * maintain, or any for administrators.
 */
export function findDeployKeyToEnable(
  db: Db,
  { id: userId, is_admin }: NonNullable<Actor['user']>,
  by: { id: number } | { fingerprint_sha256: string },
): Promise<SshKey | undefined> {
  let query = db.selectFrom('ssh_keys').selectAll('ssh_keys').where('ssh_keys.user_id', 'is', null)
  query =
    'id' in by
      ? query.where('ssh_keys.id', '=', by.id)
      : query.where('fingerprint_sha256', '=', by.fingerprint_sha256)
  if (is_admin) return query.executeTakeFirst()
  return query
    .where((eb) =>
      eb.or([
        eb('is_public', '=', true),
        eb.exists(
          eb
            .selectFrom('deploy_key_projects as link')
            .innerJoin('projects', 'projects.id', 'link.project_id')
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
            .select('link.id')
            .whereRef('link.ssh_key_id', '=', 'ssh_keys.id')
            .where((inner) =>
              inner.or([
                inner('on_namespace.access_level', '>=', Level.maintainer),
                inner('on_project.access_level', '>=', Level.maintainer),
              ]),
            ),
        ),
      ]),
    )
    .executeTakeFirst()
}

/** Enables a key in a project; does nothing if it is enabled already. */
export async function enableDeployKey(
  db: Db,
  link: Link & { can_push: boolean; now: string },
): Promise<void> {
  const { now, ...fields } = link
  await db
    .insertInto('deploy_key_projects')
    .values({ ...fields, created_at: now, updated_at: now })
    .onConflict((conflict) => conflict.columns(['ssh_key_id', 'project_id']).doNothing())
    .execute()
}

export async function setDeployKeyCanPush(
  db: Db,
  { ssh_key_id, project_id, can_push, now }: Link & { can_push: boolean; now: string },
): Promise<void> {
  await db
    .updateTable('deploy_key_projects')
    .set({ can_push, updated_at: now })
    .where('ssh_key_id', '=', ssh_key_id)
    .where('project_id', '=', project_id)
    .execute()
}

export async function setDeployKeyTitle(db: Db, id: number, title: string): Promise<void> {
  await db.updateTable('ssh_keys').set({ title }).where('id', '=', id).execute()
}

/** Disables a key in a project. A key that is then enabled nowhere is deleted, unless it is public. */
export async function disableDeployKey(db: Db, { ssh_key_id, project_id }: Link): Promise<void> {
  await db
    .deleteFrom('deploy_key_projects')
    .where('ssh_key_id', '=', ssh_key_id)
    .where('project_id', '=', project_id)
    .execute()
  await db
    .deleteFrom('ssh_keys')
    .where('id', '=', ssh_key_id)
    .where('user_id', 'is', null)
    .where('is_public', '=', false)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('deploy_key_projects')
            .select('deploy_key_projects.id')
            .whereRef('deploy_key_projects.ssh_key_id', '=', 'ssh_keys.id'),
        ),
      ),
    )
    .execute()
}

/** Returns the access of a key to a project; undefined if the key is not enabled there. */
export function findDeployKeyProject(
  db: Db,
  { ssh_key_id, project_id }: Link,
): Promise<{ can_push: boolean } | undefined> {
  return db
    .selectFrom('deploy_key_projects')
    .select('can_push')
    .where('ssh_key_id', '=', ssh_key_id)
    .where('project_id', '=', project_id)
    .executeTakeFirst()
}
