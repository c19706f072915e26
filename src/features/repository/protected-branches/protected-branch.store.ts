import type { Selectable, Updateable } from 'kysely'
import type { Actor } from '../../../access/actor.ts'
import { Level } from '../../../access/level.ts'
import { visibleNamespaceCondition } from '../../../access/visibility.ts'
import type { Db, ProtectedBranchTable } from '../../../db/db.ts'
import { containsTextCondition } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import { type ProtectionAction, protectionRuleIdsQuery } from './protected-branch.ts'

/** Whom an entry allows: a role, a user or a group. */
export type NewBranchProtectionEntry = {
  action: ProtectionAction
  access_level: number | null
  user_id: number | null
  group_id: number | null
}

/** An entry with the name of its user or group; a group that the reader cannot see has no name. */
export type BranchProtectionEntry = NewBranchProtectionEntry & {
  id: number
  user_name: string | undefined
  group_name: string | undefined
}

export type ProtectedBranch = Selectable<ProtectedBranchTable> & {
  entries: BranchProtectionEntry[]
}

/** The owner of rules: a group or a project. The rules of a project include those of its groups. */
type Holder = { project_id: number } | { namespace_id: number }

/** Returns one page of rules in the order of their ids, and their total. */
export async function listProtectedBranches(
  db: Db,
  { search, actor, ...holder }: Holder & { search?: string; actor: Actor },
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ rows: ProtectedBranch[]; total: number | undefined }> {
  const all = db.selectFrom('protected_branches')
  let query =
    'project_id' in holder
      ? all.where('id', 'in', protectionRuleIdsQuery(db, holder.project_id))
      : all.where('namespace_id', '=', holder.namespace_id)
  if (search) query = query.where(containsTextCondition(db, 'name', search))
  const rules = await query.selectAll().orderBy('id').limit(per_page).offset(offset).execute()
  return {
    rows: await withEntries(db, actor, rules),
    total: await countRows(db, query.select('id')),
  }
}

/** Returns the rule with exactly this name of the project or group itself. */
export async function findProtectedBranch(
  db: Db,
  { name, actor, ...holder }: Holder & { name: string; actor: Actor },
): Promise<ProtectedBranch | undefined> {
  const query = db.selectFrom('protected_branches').selectAll().where('name', '=', name)
  const rule = await ('project_id' in holder
    ? query.where('project_id', '=', holder.project_id)
    : query.where('namespace_id', '=', holder.namespace_id)
  ).executeTakeFirst()
  return rule && (await withEntries(db, actor, [rule]))[0]
}

/** Returns the rule with exactly this name that applies to the project: its own before one of a group. */
export async function findEffectiveProtection(
  db: Db,
  { project_id, name, actor }: { project_id: number; name: string; actor: Actor },
): Promise<ProtectedBranch | undefined> {
  const rules = await db
    .selectFrom('protected_branches')
    .selectAll()
    .where('id', 'in', protectionRuleIdsQuery(db, project_id))
    .where('name', '=', name)
    .execute()
  const rule = rules.find((one) => one.project_id !== null) ?? rules[0]
  return rule && (await withEntries(db, actor, [rule]))[0]
}

async function withEntries(
  db: Db,
  actor: Actor,
  rules: readonly Selectable<ProtectedBranchTable>[],
): Promise<ProtectedBranch[]> {
  if (rules.length === 0) return []
  const rows = await db
    .selectFrom('protected_branch_access_levels as entry')
    .leftJoin('users', 'users.id', 'entry.user_id')
    .select([
      'entry.id',
      'entry.protected_branch_id',
      'entry.action',
      'entry.access_level',
      'entry.user_id',
      'entry.group_id',
      'users.name as user_name',
    ])
    .where(
      'entry.protected_branch_id',
      'in',
      rules.map(({ id }) => id),
    )
    .orderBy('entry.id')
    .execute()
  const groupIds = rows.map(({ group_id }) => group_id).filter((id) => id !== null)
  const groupNames = await findGroupNames(db, actor, groupIds)
  return rules.map((rule) => ({
    ...rule,
    entries: rows
      .filter(({ protected_branch_id }) => protected_branch_id === rule.id)
      .map(({ protected_branch_id: _, user_name, ...entry }) => ({
        ...entry,
        user_name: user_name ?? undefined,
        group_name: groupNames.get(entry.group_id ?? 0),
      })),
  }))
}

async function findGroupNames(
  db: Db,
  actor: Actor,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('namespaces')
    .select(['id', 'name'])
    .where('id', 'in', ids)
    .where(visibleNamespaceCondition(actor))
    .execute()
  return new Map(rows.map(({ id, name }) => [id, name]))
}

type NewRule = Holder &
  Pick<
    Selectable<ProtectedBranchTable>,
    'name' | 'allow_force_push' | 'code_owner_approval_required' | 'created_at'
  >

/** Inserts a rule and returns its id; undefined if the project or group has one with that name. */
export async function insertProtectedBranch(
  db: Db,
  rule: NewRule,
  entries: readonly NewBranchProtectionEntry[],
): Promise<number | undefined> {
  const inserted = await db
    .insertInto('protected_branches')
    .values(rule)
    .onConflict((conflict) =>
      conflict
        .columns('project_id' in rule ? ['project_id', 'name'] : ['namespace_id', 'name'])
        .doNothing(),
    )
    .returning('id')
    .executeTakeFirst()
  if (inserted) await insertProtectionEntries(db, inserted.id, entries)
  return inserted?.id
}

export async function insertProtectionEntries(
  db: Db,
  id: number,
  entries: readonly NewBranchProtectionEntry[],
): Promise<void> {
  if (entries.length === 0) return
  await db
    .insertInto('protected_branch_access_levels')
    .values(entries.map((entry) => ({ ...entry, protected_branch_id: id })))
    .execute()
}

export async function updateProtectionEntry(
  db: Db,
  id: number,
  admits: Omit<NewBranchProtectionEntry, 'action'>,
): Promise<void> {
  await db.updateTable('protected_branch_access_levels').set(admits).where('id', '=', id).execute()
}

export async function deleteProtectionEntries(db: Db, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  await db.deleteFrom('protected_branch_access_levels').where('id', 'in', ids).execute()
}

/** Replaces the roles that an entry allows for an action by one role. Users and groups are kept. */
export async function replaceProtectionRole(
  db: Db,
  id: number,
  { action, access_level }: { action: ProtectionAction; access_level: number },
): Promise<void> {
  await db
    .deleteFrom('protected_branch_access_levels')
    .where('protected_branch_id', '=', id)
    .where('action', '=', action)
    .where('user_id', 'is', null)
    .where('group_id', 'is', null)
    .execute()
  await insertProtectionEntries(db, id, [{ action, access_level, user_id: null, group_id: null }])
}

export async function updateProtectedBranch(
  db: Db,
  id: number,
  changes: Pick<
    Updateable<ProtectedBranchTable>,
    'allow_force_push' | 'code_owner_approval_required'
  >,
): Promise<void> {
  if (Object.values(changes).every((value) => value === undefined)) return
  await db.updateTable('protected_branches').set(changes).where('id', '=', id).execute()
}

/** Deletes a rule with its entries. */
export async function deleteProtectedBranch(db: Db, id: number): Promise<void> {
  await db.deleteFrom('protected_branches').where('id', '=', id).execute()
}

/** Whether the group has fewer rules than the limit. */
export async function isBelowProtectionRuleLimit(
  db: Db,
  namespace_id: number,
  most: number,
): Promise<boolean> {
  const rows = await db
    .selectFrom('protected_branches')
    .select('id')
    .where('namespace_id', '=', namespace_id)
    .limit(most)
    .execute()
  return rows.length < most
}

/** Returns the groups that are invited into the group on that day. */
export async function filterInvitedGroupIds(
  db: Db,
  namespace_id: number,
  { ids, today }: { ids: readonly number[]; today: string },
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('namespace_shares')
    .select('shared_with_id')
    .where('namespace_id', '=', namespace_id)
    .where('shared_with_id', 'in', ids)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', today)]))
    .execute()
  return new Set(rows.map(({ shared_with_id }) => shared_with_id))
}

/** Returns the users who have any access to the project. */
export async function filterUserIdsWithAccess(
  db: Db,
  project: { id: number; namespace_id: number },
  ids: readonly number[],
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('namespace_access')
    .select('user_id')
    .where('namespace_id', '=', project.namespace_id)
    .where('access_level', '>', Level.minimal)
    .where('user_id', 'in', ids)
    .union(
      db
        .selectFrom('project_access')
        .select('user_id')
        .where('project_id', '=', project.id)
        .where('user_id', 'in', ids),
    )
    .execute()
  return new Set(rows.map(({ user_id }) => user_id))
}

/** Returns the groups that the project is shared with on that day. */
export async function filterGroupIdsWithAccess(
  db: Db,
  project: { id: number },
  { ids, today }: { ids: readonly number[]; today: string },
): Promise<Set<number>> {
  if (ids.length === 0) return new Set()
  const rows = await db
    .selectFrom('project_shares')
    .select('shared_with_id')
    .where('project_id', '=', project.id)
    .where('shared_with_id', 'in', ids)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', today)]))
    .execute()
  return new Set(rows.map(({ shared_with_id }) => shared_with_id))
}

/** Returns those of the ids that are protected branches of the project. */
export async function filterBranchProtectionIds(
  db: Db,
  project_id: number,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await db
    .selectFrom('protected_branches')
    .select('id')
    .where('project_id', '=', project_id)
    .where('id', 'in', [0, ...ids])
    .execute()
  return rows.map(({ id }) => id)
}
