// Creates, changes and removes protected branches, for the two sets of operations that do so.

import { Level } from '../../../access/level.ts'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp, today } from '../../../kernel/clock.ts'
import { conflict, forbidden, recordNotFound, unprocessable } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { listUsersWithGroupLevel } from '../../../subjects/group.ts'
import { type AuditSource, recordAuditEvent } from '../../basics/audit-events/audit-event.ts'
import {
  deleteProtectedBranch,
  deleteProtectionEntries,
  filterGroupIdsWithAccess,
  filterInvitedGroupIds,
  filterUserIdsWithAccess,
  findProtectedBranch,
  insertProtectedBranch,
  insertProtectionEntries,
  type NewBranchProtectionEntry,
  type ProtectedBranch,
  replaceProtectionRole,
  updateProtectionEntry,
} from './protected-branch.store.ts'
import {
  type CallerWithLevel,
  isAllowedByProtectionRules,
  listBranchProtectionRules,
  type ProtectionAction,
  type ProtectionRule,
} from './protected-branch.ts'

/** A project, or a group whose rules apply to the projects in and below it. */
type ProtectedProject = { id: number; namespace_id: number }

export { filterBranchProtectionIds, filterUserIdsWithAccess } from './protected-branch.store.ts'

export type ProtectedBranchOwner = ProtectedProject | { group_id: number }

export type NewBranchProtection = {
  name: string
  entries: readonly NewBranchProtectionEntry[]
  allow_force_push: boolean
  code_owner_approval_required: boolean
}

/** Records a change of a protection rule of a project or group as an audit event. */
export async function recordBranchProtectionEvent(
  uses: AuditSource,
  action: 'branch_protected' | 'branch_protection_changed' | 'branch_unprotected',
  {
    id,
    name,
    of,
    ...details
  }: { id: number; name: string; of: { id: number } | { group_id: number } } & Record<
    string,
    unknown
  >,
): Promise<void> {
  await recordAuditEvent(uses, {
    action,
    entity: 'group_id' in of ? { kind: 'group', id: of.group_id } : { kind: 'project', id: of.id },
    target: { kind: 'protected_branch', id, name },
    details,
  })
}

export function createRoleProtectionEntry(
  action: ProtectionAction,
  access_level: number,
): NewBranchProtectionEntry {
  return { action, access_level, user_id: null, group_id: null }
}

/** Adds a rule. Throws 409 if there is one with the same name, and 422 with all validation problems. */
export async function protectBranch(
  uses: AuditSource,
  of: ProtectedBranchOwner,
  { name, entries, ...flags }: NewBranchProtection,
): Promise<void> {
  const { db, clock } = uses
  const problems = [
    ...protectedBranchNameProblems(name),
    ...(await findProtectionEntryProblems(uses, of, namedEntries(entries))),
  ]
  if (problems.length > 0) throw unprocessable(problems)
  const holder = 'group_id' in of ? { namespace_id: of.group_id } : { project_id: of.id }
  const rule = { ...holder, name, ...flags, created_at: timestamp(clock) }
  const id = await insertProtectedBranch(db, rule, entries)
  if (id === undefined) throw conflict(`Protected branch '${name}' already exists`)
  const made = { id, name, of, entries, ...flags }
  await recordBranchProtectionEvent(uses, 'branch_protected', made)
}

/** Returns the validation problems of the name of a rule. */
export function protectedBranchNameProblems(name: string): string[] {
  if (name.trim() === '') return ["Name can't be blank"]
  const most = limits.name_characters
  return [...name].length > most ? [`Name is too long (maximum is ${most} characters)`] : []
}

const fieldNames: Record<ProtectionAction, string> = {
  push: 'Push access levels',
  merge: 'Merge access levels',
  unprotect: 'Unprotect access levels',
}

function namedEntries(entries: readonly NewBranchProtectionEntry[]) {
  return entries.map((entry) => ({ ...entry, field: fieldNames[entry.action] }))
}

/**
 * Users need access to the project, groups an invitation into it (docs/api/repository.md, "Protected
 * branches").
 */
export async function findProtectionEntryProblems(
  { db, clock }: Pick<Instance, 'db' | 'clock'>,
  of: ProtectedBranchOwner,
  entries: readonly { field: string; user_id: number | null; group_id: number | null }[],
): Promise<string[]> {
  const userIds = entries.map(({ user_id }) => user_id).filter((id) => id !== null)
  const groupIds = entries.map(({ group_id }) => group_id).filter((id) => id !== null)
  const wanted = { ids: groupIds, today: today(clock) }
  const isGroup = 'group_id' in of
  const users = isGroup
    ? await listUsersWithGroupLevel(db, of.group_id, { ids: userIds, least: Level.guest })
    : await filterUserIdsWithAccess(db, of, userIds)
  const groups = isGroup
    ? await filterInvitedGroupIds(db, of.group_id, wanted)
    : await filterGroupIdsWithAccess(db, of, wanted)
  const place = isGroup ? 'group' : 'project'
  const problems = entries.flatMap(({ field, user_id, group_id }) => {
    if (user_id !== null && !users.has(user_id)) {
      return [`${field} user is not a member of the ${place}`]
    }
    if (group_id !== null && !groups.has(group_id)) {
      return [`${field} group does not have access to the ${place}`]
    }
    return []
  })
  return [...new Set(problems)]
}

/** The entries that a change adds, changes and removes. */
export type ProtectionEntryChanges = {
  added: readonly NewBranchProtectionEntry[]
  changed: readonly { id: number; entry: NewBranchProtectionEntry }[]
  removed: readonly number[]
}

/**
 * Changes the entries of a rule. Throws 422 for users and groups without access to the project. An entry
 * that exists is not added again.
 */
export async function changeProtectionEntries(
  uses: AuditSource,
  of: ProtectedBranchOwner,
  {
    rule,
    changes,
  }: { rule: Pick<ProtectedBranch, 'id' | 'entries'>; changes: ProtectionEntryChanges },
): Promise<void> {
  const { db } = uses
  const { added, changed, removed } = changes
  const wanted = [...added, ...changed.map(({ entry }) => entry)]
  const problems = await findProtectionEntryProblems(uses, of, namedEntries(wanted))
  if (problems.length > 0) throw unprocessable(problems)
  await deleteProtectionEntries(db, removed)
  for (const { id, entry } of changed) {
    const { action: _, ...admits } = entry
    await updateProtectionEntry(db, id, admits)
  }
  const touched = new Set([...removed, ...changed.map(({ id }) => id)])
  const kept = rule.entries.filter(({ id }) => !touched.has(id))
  await insertProtectionEntries(
    db,
    rule.id,
    added.filter((entry) => !kept.some((one) => admitsTheSame(one, entry))),
  )
}

function admitsTheSame(one: NewBranchProtectionEntry, other: NewBranchProtectionEntry): boolean {
  const fields = ['action', 'access_level', 'user_id', 'group_id'] as const
  return fields.every((field) => one[field] === other[field])
}

/** Whether the unprotect levels of the project's rule with that name, if it has any, allow the caller. */
export async function mayUnprotectBranch(
  db: Db,
  { project_id, name, caller }: { project_id: number; name: string; caller: CallerWithLevel },
): Promise<boolean> {
  const rules = await listBranchProtectionRules(db, project_id, caller.actor)
  return mayUnprotectBranchByRule(
    rules.find((one) => one.name === name && !one.isInherited),
    caller,
  )
}

/** Whether the rule has no unprotect levels, or some that admit the caller. */
export function mayUnprotectBranchByRule(
  rule: ProtectionRule | undefined,
  caller: CallerWithLevel,
): boolean {
  const isLimited = rule?.entries.some(({ action }) => action === 'unprotect') ?? false
  return !rule || !isLimited || isAllowedByProtectionRules([rule], 'unprotect', caller)
}

/** Throws 403 if the rule's unprotect levels do not admit the caller. */
async function checkMayUnprotect(...asked: Parameters<typeof mayUnprotectBranch>): Promise<void> {
  if (!(await mayUnprotectBranch(...asked))) throw forbidden()
}

export type DeveloperBranchAccess = {
  developers_can_push?: boolean
  developers_can_merge?: boolean
}

/**
 * The older operation that protects one branch (docs/api/repository.md, "Protect with Developers"). If a rule exists,
 * only the given fields change.
 */
export async function protectBranchWithDeveloperAccess(
  uses: AuditSource,
  project: ProtectedProject,
  {
    name,
    caller,
    access,
  }: { name: string; caller: CallerWithLevel; access: DeveloperBranchAccess },
): Promise<void> {
  const { db, clock } = uses
  const problems = protectedBranchNameProblems(name)
  if (problems.length > 0) throw unprocessable(problems)
  const levelFor = (isForDevelopers: boolean | undefined) =>
    isForDevelopers ? Level.developer : Level.maintainer
  const rule = {
    project_id: project.id,
    name,
    allow_force_push: false,
    code_owner_approval_required: false,
    created_at: timestamp(clock),
  }
  const id = await insertProtectedBranch(db, rule, [
    createRoleProtectionEntry('push', levelFor(access.developers_can_push)),
    createRoleProtectionEntry('merge', levelFor(access.developers_can_merge)),
    createRoleProtectionEntry('unprotect', Level.maintainer),
  ])
  const told = { name, of: project, ...access }
  if (id !== undefined) {
    await recordBranchProtectionEvent(uses, 'branch_protected', { id, ...told })
    return
  }
  await checkMayUnprotect(db, { project_id: project.id, name, caller })
  const existing = await findProtectedBranch(db, {
    project_id: project.id,
    name,
    actor: caller.actor,
  })
  if (!existing) throw recordNotFound()
  const changes = [
    ['push', access.developers_can_push],
    ['merge', access.developers_can_merge],
  ] as const
  for (const [action, isForDevelopers] of changes) {
    if (isForDevelopers === undefined) continue
    await replaceProtectionRole(db, existing.id, {
      action,
      access_level: levelFor(isForDevelopers),
    })
  }
  const { id: existing_id } = existing
  await recordBranchProtectionEvent(uses, 'branch_protection_changed', { id: existing_id, ...told })
}

/** Deletes the rule with exactly this name, if there is one. */
export async function unprotectBranch(
  uses: AuditSource,
  { project_id, name, caller }: { project_id: number; name: string; caller: CallerWithLevel },
): Promise<void> {
  const { db } = uses
  const rule = await findProtectedBranch(db, { project_id, name, actor: caller.actor })
  if (!rule) return
  await checkMayUnprotect(db, { project_id, name, caller })
  await deleteProtectedBranch(db, rule.id)
  await recordBranchProtectionEvent(uses, 'branch_unprotected', {
    id: rule.id,
    name,
    of: { id: project_id },
  })
}
