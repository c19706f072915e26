import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Actor } from '../../../access/actor.ts'
import { visibleNamespaceCondition } from '../../../access/visibility.ts'
import type {
  Db,
  ProtectedEnvironmentEntryTable,
  ProtectedEnvironmentTable,
} from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'

export type EnvironmentProtectionOwner = {
  kind: 'project' | 'group'
  id: number
  namespace_id: number
}
export type NewEnvironmentProtectionEntry = Omit<
  Insertable<ProtectedEnvironmentEntryTable>,
  'id' | 'protected_environment_id'
>
export type EnvironmentProtectionEntry = Selectable<ProtectedEnvironmentEntryTable> & {
  user_name: string | undefined
  group_name: string | undefined
}
export type ProtectedEnvironment = Selectable<ProtectedEnvironmentTable> & {
  entries: EnvironmentProtectionEntry[]
}

function rulesOf(db: Db, { kind, id }: EnvironmentProtectionOwner) {
  const column = kind === 'project' ? 'project_id' : 'namespace_id'
  return db.selectFrom('protected_environments').where(column, '=', id)
}

export async function listProtectedEnvironments(
  db: Db,
  { owner, actor }: { owner: EnvironmentProtectionOwner; actor: Actor },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: ProtectedEnvironment[]; total: number | undefined }> {
  const query = rulesOf(db, owner)
  const rules = await query.selectAll().orderBy('id').limit(per_page).offset(offset).execute()
  return {
    rows: await withEntries(db, actor, rules),
    total: await countRows(db, query.select('id')),
  }
}

export async function findProtectedEnvironment(
  db: Db,
  { owner, name, actor }: { owner: EnvironmentProtectionOwner; name: string; actor: Actor },
): Promise<ProtectedEnvironment | undefined> {
  const rules = await rulesOf(db, owner).selectAll().where('name', '=', name).execute()
  return (await withEntries(db, actor, rules))[0]
}

async function withEntries(
  db: Db,
  actor: Actor,
  rules: readonly Selectable<ProtectedEnvironmentTable>[],
): Promise<ProtectedEnvironment[]> {
  if (rules.length === 0) return []
  const ids = rules.map(({ id }) => id)
  const rows = await db
    .selectFrom('protected_environment_entries as entry')
    .leftJoin('users', 'users.id', 'entry.user_id')
    .leftJoin('namespaces', (join) =>
      join.onRef('namespaces.id', '=', 'entry.group_id').on(visibleNamespaceCondition(actor)),
    )
    .selectAll('entry')
    .select(['users.name as user_name', 'namespaces.name as group_name'])
    .where('entry.protected_environment_id', 'in', ids)
    .orderBy('entry.id')
    .execute()
  return rules.map((rule) => ({
    ...rule,
    entries: rows
      .filter(({ protected_environment_id }) => protected_environment_id === rule.id)
      .map(({ user_name, group_name, ...entry }) => ({
        ...entry,
        user_name: user_name ?? undefined,
        group_name: group_name ?? undefined,
      })),
  }))
}

/** Inserts a protection and returns its id; undefined if there is one with that name. */
export async function insertProtectedEnvironment(
  db: Db,
  { kind, id }: EnvironmentProtectionOwner,
  {
    entries,
    ...rule
  }: Pick<Insertable<ProtectedEnvironmentTable>, 'name' | 'required_approval_count'> & {
    entries: readonly NewEnvironmentProtectionEntry[]
    created_at: string
    updated_at: string
  },
): Promise<number | undefined> {
  const column = kind === 'project' ? 'project_id' : 'namespace_id'
  const made = await db
    .insertInto('protected_environments')
    .values({ ...rule, [column]: id })
    .onConflict((conflict) => conflict.columns([column, 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (made) await insertEnvironmentProtectionEntries(db, made.id, entries)
  return made?.id
}

export async function insertEnvironmentProtectionEntries(
  db: Db,
  protected_environment_id: number,
  entries: readonly NewEnvironmentProtectionEntry[],
): Promise<void> {
  if (entries.length === 0) return
  await db
    .insertInto('protected_environment_entries')
    .values(entries.map((entry) => ({ ...entry, protected_environment_id })))
    .execute()
}

export async function updateEnvironmentProtectionEntry(
  db: Db,
  id: number,
  changes: Updateable<ProtectedEnvironmentEntryTable>,
): Promise<void> {
  await db.updateTable('protected_environment_entries').set(changes).where('id', '=', id).execute()
}

export async function deleteEnvironmentProtectionEntries(
  db: Db,
  ids: readonly number[],
): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('protected_environment_entries').where('id', 'in', ids).execute()
}

export async function updateProtectedEnvironment(
  db: Db,
  id: number,
  changes: Updateable<ProtectedEnvironmentTable>,
): Promise<void> {
  await db.updateTable('protected_environments').set(changes).where('id', '=', id).execute()
}

export async function deleteProtectedEnvironment(db: Db, id: number): Promise<void> {
  await db.deleteFrom('protected_environments').where('id', '=', id).execute()
}

/** Returns the groups that are below the group. */
export async function filterSubgroupIds(
  db: Db,
  { namespace_id, ids }: { namespace_id: number; ids: readonly number[] },
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('namespace_ancestors')
    .select('namespace_id')
    .where('ancestor_id', '=', namespace_id)
    .where('namespace_id', '!=', namespace_id)
    .where('namespace_id', 'in', ids)
    .execute()
  return new Set(rows.map((row) => row.namespace_id))
}
