import type { Insertable, Selectable, Updateable } from 'kysely'
import { anonymous, type Viewer } from '../../../access/actor.ts'
import { visibleProjectCondition } from '../../../access/visibility.ts'
import { defineRowLoader } from '../../../db/compiled-query.ts'
import type { Db, RunnerTable } from '../../../db/db.ts'
import { toJson } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'

export type Runner = Selectable<RunnerTable>

export function findRunner(db: Db, id: number): Promise<Runner | undefined> {
  return db.selectFrom('runners').selectAll().where('id', '=', id).executeTakeFirst()
}

const runnerByDigest = defineRowLoader((db, { digest }: { digest: string }) =>
  db.selectFrom('runners').selectAll().where('token_digest', '=', digest),
)

export function findRunnerByTokenDigest(db: Db, digest: string): Promise<Runner | undefined> {
  return runnerByDigest(db, { digest })
}

/** Returns the built-in runner of the server. */
export function findBuiltinRunner(db: Db): Promise<Runner | undefined> {
  return db.selectFrom('runners').selectAll().where('builtin', '=', true).executeTakeFirst()
}

export async function insertRunner(
  db: Db,
  { tags, ...runner }: Omit<Insertable<RunnerTable>, 'tags'> & { tags: readonly string[] },
): Promise<Runner> {
  return db
    .insertInto('runners')
    .values({ ...runner, tags: toJson(tags) })
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function updateRunner(
  db: Db,
  id: number,
  { tags, ...changes }: Omit<Updateable<RunnerTable>, 'tags'> & { tags?: readonly string[] },
): Promise<Runner> {
  return db
    .updateTable('runners')
    .set({ ...changes, ...(tags ? { tags: toJson(tags) } : {}) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

export async function deleteRunner(db: Db, id: number): Promise<void> {
  await db.deleteFrom('runners').where('id', '=', id).execute()
}

/** Assigns a runner to a project; returns false if it is assigned already. */
export async function assignRunnerToProject(
  db: Db,
  { runner_id, project_id }: { runner_id: number; project_id: number },
): Promise<boolean> {
  const inserted = await db
    .insertInto('runner_projects')
    .values({ runner_id, project_id })
    .onConflict((conflict) => conflict.columns(['runner_id', 'project_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function unassignRunnerFromProject(
  db: Db,
  { runner_id, project_id }: { runner_id: number; project_id: number },
): Promise<void> {
  await db
    .deleteFrom('runner_projects')
    .where('runner_id', '=', runner_id)
    .where('project_id', '=', project_id)
    .execute()
}

/** Returns the projects of a project runner, its owner first; with `viewer` only those that the viewer can see. */
export function listRunnerProjects(db: Db, runner_id: number, viewer?: Viewer) {
  return db
    .selectFrom('runner_projects')
    .innerJoin('projects', 'projects.id', 'runner_projects.project_id')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .select([
      'projects.id',
      'projects.name',
      'projects.path',
      'projects.description',
      'projects.created_at',
      'namespaces.full_path as namespace_full_path',
      'namespaces.full_name as namespace_full_name',
    ])
    .where('runner_projects.runner_id', '=', runner_id)
    .$if(viewer !== undefined, (query) => query.where(visibleProjectCondition(viewer ?? anonymous)))
    .orderBy('runner_projects.id')
    .limit(100)
    .execute()
}

export type RunnerFilter = {
  /** Runners that serve this project or group; all runners if undefined. */
  of?: { project_id: number; namespace_id: number; withShared: boolean } | { group_id: number }
  /** Runners that this user administers. */
  ownedBy?: number
  type?: Runner['runner_type']
  paused?: boolean
  /** Runners that contacted the server since, or before, this time. */
  contactedSince?: string
  contactedBefore?: string
  neverContacted?: boolean
  tags?: readonly string[]
}

function matching(db: Db, filter: RunnerFilter) {
  let query = db.selectFrom('runners')
  const { of, ownedBy, type, paused, contactedSince, contactedBefore, tags = [] } = filter
  if (of && 'project_id' in of) {
    query = query.where((eb) =>
      eb.or([
        eb(
          'runners.id',
          'in',
          eb
            .selectFrom('runner_projects')
            .select('runner_id')
            .where('project_id', '=', of.project_id),
        ),
        eb(
          'runners.group_id',
          'in',
          eb
            .selectFrom('namespace_ancestors')
            .select('ancestor_id')
            .where('namespace_id', '=', of.namespace_id),
        ),
        ...(of.withShared ? [eb('runners.runner_type', '=', 'instance_type')] : []),
      ]),
    )
  } else if (of) {
    query = query.where((eb) =>
      eb.or([
        eb(
          'runners.group_id',
          'in',
          eb
            .selectFrom('namespace_ancestors')
            .select('ancestor_id')
            .where('namespace_id', '=', of.group_id),
        ),
        eb('runners.runner_type', '=', 'instance_type'),
      ]),
    )
  }
  if (ownedBy !== undefined) {
    query = query.where((eb) =>
      eb.or([
        eb(
          'runners.id',
          'in',
          eb
            .selectFrom('runner_projects')
            .innerJoin('projects', 'projects.id', 'runner_projects.project_id')
            .leftJoin('project_access', (join) =>
              join
                .onRef('project_access.project_id', '=', 'projects.id')
                .on('project_access.user_id', '=', ownedBy),
            )
            .leftJoin('namespace_access', (join) =>
              join
                .onRef('namespace_access.namespace_id', '=', 'projects.namespace_id')
                .on('namespace_access.user_id', '=', ownedBy),
            )
            .select('runner_projects.runner_id')
            .where((inner) =>
              inner.or([
                inner('project_access.access_level', '>=', 40),
                inner('namespace_access.access_level', '>=', 40),
              ]),
            ),
        ),
        eb(
          'runners.group_id',
          'in',
          eb
            .selectFrom('namespace_access')
            .select('namespace_id')
            .where('user_id', '=', ownedBy)
            .where('access_level', '>=', 50),
        ),
      ]),
    )
  }
  if (type) query = query.where('runners.runner_type', '=', type)
  if (paused !== undefined) query = query.where('runners.paused', '=', paused)
  if (contactedSince !== undefined) query = query.where('contacted_at', '>=', contactedSince)
  if (contactedBefore !== undefined) query = query.where('contacted_at', '<', contactedBefore)
  if (filter.neverContacted) query = query.where('contacted_at', 'is', null)
  return { query, tags }
}

/** The number of runners that are searched by tags. */
const tagged_rows_max = 10_000

/** Returns one page of runners, newest first, and their total. */
export async function listRunners(
  db: Db,
  filter: RunnerFilter,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: Runner[]; total: number | undefined }> {
  const { query, tags } = matching(db, filter)
  if (tags.length > 0) {
    const all = await query.selectAll().orderBy('id', 'desc').limit(tagged_rows_max).execute()
    const rows = all.filter((runner) => tags.every((tag) => runner.tags.includes(tag)))
    return { rows: rows.slice(offset, offset + per_page), total: rows.length }
  }
  const rows = await query
    .selectAll()
    .orderBy('id', 'desc')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, query.select('runners.id')) }
}

/** Whether the user administers a project or group that the runner belongs to. */
export async function administersOwnerOfRunner(
  db: Db,
  runner_id: number,
  user_id: number,
): Promise<boolean> {
  const { query } = matching(db, { ownedBy: user_id })
  const row = await query
    .select('runners.id')
    .where('runners.id', '=', runner_id)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the project or group with that registration token. */
export async function findRegistrationTokenOwner(
  db: Db,
  digest: string,
): Promise<{ project_id: number } | { group_id: number } | undefined> {
  const project = await db
    .selectFrom('projects')
    .select('id')
    .where('runners_token_digest', '=', digest)
    .where('state', '=', 'ready')
    .executeTakeFirst()
  if (project) return { project_id: project.id }
  const group = await db
    .selectFrom('namespaces')
    .select('id')
    .where('runners_token_digest', '=', digest)
    .where('state', '=', 'ready')
    .executeTakeFirst()
  return group && { group_id: group.id }
}

/** Replaces the registration token of a project or group. */
export async function setRegistrationToken(
  db: Db,
  { kind, id }: { kind: 'project' | 'group'; id: number },
  token: { runners_token: string; runners_token_digest: string },
): Promise<void> {
  const table = kind === 'project' ? 'projects' : 'namespaces'
  await db.updateTable(table).set(token).where('id', '=', id).execute()
}

export async function findSealedInstanceRegistrationToken(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('instance_secrets')
    .select('value')
    .where('name', '=', 'runner_registration_token')
    .executeTakeFirst()
  return row?.value
}

/** Stores the encrypted registration token of the instance. Without `replaces` an existing one is kept. */
export async function saveSealedInstanceRegistrationToken(
  db: Db,
  value: string,
  { replaces }: { replaces: boolean },
): Promise<void> {
  await db
    .insertInto('instance_secrets')
    .values({ name: 'runner_registration_token', value })
    .onConflict((conflict) =>
      replaces
        ? conflict.column('name').doUpdateSet({ value })
        : conflict.column('name').doNothing(),
    )
    .execute()
}

/** Returns encrypted registration tokens that have no digest yet, oldest first. */
export async function listRegistrationTokensWithoutDigest(
  db: Db,
  table: 'projects' | 'namespaces',
  limit: number,
) {
  return db
    .selectFrom(table)
    .select(['id', 'runners_token'])
    .where('runners_token', 'is not', null)
    .where('runners_token_digest', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function saveRegistrationTokenDigest(
  db: Db,
  table: 'projects' | 'namespaces',
  { id, runners_token_digest }: { id: number; runners_token_digest: string },
): Promise<void> {
  await db.updateTable(table).set({ runners_token_digest }).where('id', '=', id).execute()
}
