import type { Insertable, Selectable } from 'kysely'
import type { Actor } from '../../../access/actor.ts'
import { visibleNamespaceCondition } from '../../../access/visibility.ts'
import type { Db, ProtectedTagAccessLevelTable, ProtectedTagTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'

/** Whom an entry allows: a role, a user or a group. */
export type NewTagProtectionEntry = Pick<
  Insertable<ProtectedTagAccessLevelTable>,
  'access_level' | 'user_id' | 'group_id'
>

/** An entry with the name of its user or group; a group that the reader cannot see has no name. */
export type TagProtectionEntry = Selectable<ProtectedTagAccessLevelTable> & {
  user_name: string | undefined
  group_name: string | undefined
}

export type ProtectedTag = Selectable<ProtectedTagTable> & { entries: TagProtectionEntry[] }

/** Returns one page of a project's rules in the order of their ids, and their total. */
export async function listProtectedTags(
  db: Db,
  { project_id, actor }: { project_id: number; actor: Actor },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: ProtectedTag[]; total: number | undefined }> {
  const query = db.selectFrom('protected_tags').where('project_id', '=', project_id)
  const rules = await query.selectAll().orderBy('id').limit(per_page).offset(offset).execute()
  const total = await countRows(db, query.select('id'))
  return { rows: await withEntries(db, actor, rules), total }
}

/** Returns the rule with exactly this name. */
export async function findProtectedTag(
  db: Db,
  { project_id, name, actor }: { project_id: number; name: string; actor: Actor },
): Promise<ProtectedTag | undefined> {
  const rules = await db
    .selectFrom('protected_tags')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('name', '=', name)
    .execute()
  return (await withEntries(db, actor, rules))[0]
}

async function withEntries(
  db: Db,
  actor: Actor,
  rules: readonly Selectable<ProtectedTagTable>[],
): Promise<ProtectedTag[]> {
  if (rules.length === 0) return []
  const ids = rules.map(({ id }) => id)
  const rows = await db
    .selectFrom('protected_tag_access_levels as entry')
    .leftJoin('users', 'users.id', 'entry.user_id')
    .leftJoin('namespaces', (join) =>
      join.onRef('namespaces.id', '=', 'entry.group_id').on(visibleNamespaceCondition(actor)),
    )
    .selectAll('entry')
    .select(['users.name as user_name', 'namespaces.name as group_name'])
    .where('entry.protected_tag_id', 'in', ids)
    .orderBy('entry.id')
    .execute()
  return rules.map((rule) => ({
    ...rule,
    entries: rows
      .filter(({ protected_tag_id }) => protected_tag_id === rule.id)
      .map(({ user_name, group_name, ...entry }) => ({
        ...entry,
        user_name: user_name ?? undefined,
        group_name: group_name ?? undefined,
      })),
  }))
}

/** Inserts a rule and returns its id; undefined if the project has one with that name. */
export async function insertProtectedTag(
  db: Db,
  rule: Insertable<ProtectedTagTable>,
  entries: readonly NewTagProtectionEntry[],
): Promise<number | undefined> {
  const inserted = await db
    .insertInto('protected_tags')
    .values(rule)
    .onConflict((conflict) => conflict.columns(['project_id', 'name']).doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!inserted) return undefined
  const { id: protected_tag_id } = inserted
  await db
    .insertInto('protected_tag_access_levels')
    .values(entries.map((entry) => ({ ...entry, protected_tag_id })))
    .execute()
  return protected_tag_id
}

/** Deletes a rule with its entries. */
export async function deleteProtectedTag(db: Db, id: number): Promise<void> {
  await db.deleteFrom('protected_tags').where('id', '=', id).execute()
}
