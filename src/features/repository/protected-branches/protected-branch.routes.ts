import { type Static, Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import { checkUnmodified } from '../../../http/conditional.ts'
import { type Context, endpointsWith } from '../../../http/endpoint.ts'
import { Page } from '../../../http/pagination.ts'
import {
  oneOfNumbers,
  optionalBoolean,
  optionalInteger,
  optionalText,
  pageInput,
  record,
} from '../../../http/schema.ts'
import { badParameters, recordNotFound } from '../../../kernel/errors.ts'
import { adminBranches, aProject, downloadCode, type Project } from '../../../subjects/project.ts'
import {
  changeEntries,
  checkMayUnprotect,
  type EntryChanges,
  protectBranch,
  recordProtectionEvent,
  roleEntry,
} from './protect-branch.ts'
import { ProtectedBranchJson, presentProtectedBranch } from './protected-branch.present.ts'
import {
  deleteProtectedBranch,
  findProtectedBranch,
  listProtectedBranches,
  type NewEntry,
  type ProtectedBranch,
  updateProtectedBranch,
} from './protected-branch.store.ts'
import type { ProtectionAction } from './protected-branch.ts'

const endpoint = endpointsWith({ tag: 'Protected branches', on: aProject })
const nameInput = {
  name: Type.String({ description: 'Name of the branch, or a wildcard such as `*-stable`.' }),
}

const levels = [Level.none, Level.developer, Level.maintainer, Level.admin] as const
/** A rule that nobody could ever end would be a trap. */
const unprotectLevels = [Level.developer, Level.maintainer, Level.admin] as const

function level(of: readonly number[]) {
  return Type.Optional(oneOfNumbers(of))
}

function allowedTo(name: string, of: readonly number[]) {
  const entry = record(name, {
    user_id: optionalInteger,
    group_id: optionalInteger,
    access_level: level(of),
  })
  return Type.Optional(Type.Array(entry))
}

/** As above, or an entry there is by its id, to be another one or none. */
function changedTo(name: string, of: readonly number[]) {
  const entry = record(name, {
    id: optionalInteger,
    user_id: optionalInteger,
    group_id: optionalInteger,
    access_level: level(of),
    _destroy: optionalBoolean,
  })
  return Type.Optional(Type.Array(entry))
}

const protectInput = Type.Object({
  ...nameInput,
  push_access_level: level(levels),
  merge_access_level: level(levels),
  unprotect_access_level: level(unprotectLevels),
  allow_force_push: Type.Optional(Type.Boolean({ default: false })),
  allowed_to_push: allowedTo('AllowedInput', levels),
  allowed_to_merge: allowedTo('AllowedInput', levels),
  allowed_to_unprotect: allowedTo('AllowedToUnprotectInput', unprotectLevels),
  code_owner_approval_required: Type.Optional(Type.Boolean({ default: false })),
})
type ProtectInput = Static<typeof protectInput>

/**
 * The entries a client asks for; on the free tier one role for each action. A role not given is
 * Maintainer, unless users, groups or roles are listed.
 */
function entriesOf(input: ProtectInput, isPaidTier: boolean): NewEntry[] {
  const of = (action: ProtectionAction): NewEntry[] => {
    const role = input[`${action}_access_level`]
    const listed = isPaidTier ? listedEntries(input, action) : []
    if (role === undefined && listed.length > 0) return listed
    return [roleEntry(action, role ?? Level.maintainer), ...listed]
  }
  return unique([...of('push'), ...of('merge'), ...of('unprotect')])
}

function listedEntries(input: ProtectInput, action: ProtectionAction): NewEntry[] {
  const parameter = `allowed_to_${action}` as const
  return (input[parameter] ?? []).map((entry, index) =>
    entryOf(entry, action, `${parameter}[${index}]`),
  )
}

type GivenEntry = { user_id?: number; group_id?: number; access_level?: number }

/** 400 unless exactly one of user, group and role is given. */
function entryOf(given: GivenEntry, action: ProtectionAction, place: string): NewEntry {
  const { user_id = null, group_id = null, access_level = null } = given
  const values = [user_id, group_id, access_level].filter((value) => value !== null)
  if (values.length !== 1) {
    const names = ['user_id', 'group_id', 'access_level'].map((name) => `${place}[${name}]`)
    const problem =
      values.length === 0
        ? 'are missing, exactly one parameter must be provided'
        : 'are mutually exclusive'
    throw badParameters([`${names.join(', ')} ${problem}`])
  }
  return { action, user_id, group_id, access_level }
}

const changeInput = Type.Object({
  ...nameInput,
  allow_force_push: optionalBoolean,
  code_owner_approval_required: optionalBoolean,
  allowed_to_push: changedTo('ChangedInput', levels),
  allowed_to_merge: changedTo('ChangedInput', levels),
  allowed_to_unprotect: changedTo('ChangedToUnprotectInput', unprotectLevels),
})

/** What a client wants of a rule's entries; 404 for an id that is none of them. */
function entryChangesOf(
  input: Static<typeof changeInput>,
  { entries }: ProtectedBranch,
): EntryChanges {
  const added: NewEntry[] = []
  const changed: { id: number; entry: NewEntry }[] = []
  const removed: number[] = []
  for (const action of ['push', 'merge', 'unprotect'] as const) {
    const parameter = `allowed_to_${action}` as const
    for (const [index, given] of (input[parameter] ?? []).entries()) {
      const { id, _destroy: isRemoved = false } = given
      const isKnown = entries.some((entry) => entry.id === id && entry.action === action)
      if (id !== undefined && !isKnown) throw recordNotFound()
      if (id !== undefined && isRemoved) removed.push(id)
      else if (!isRemoved) {
        const entry = entryOf(given, action, `${parameter}[${index}]`)
        if (id === undefined) added.push(entry)
        else changed.push({ id, entry })
      }
    }
  }
  return { added: unique(added), changed, removed }
}

function unique(entries: readonly NewEntry[]): NewEntry[] {
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()]
}

type NamedContext = Context<Project, { name: string }>

async function getProtectedBranch({
  db,
  subject,
  actor,
  input,
}: NamedContext): Promise<ProtectedBranch> {
  const found = await findProtectedBranch(db, { project_id: subject.id, name: input.name, actor })
  if (!found) throw recordNotFound()
  return found
}

export const protectedBranchEndpoints = [
  endpoint({
    route: 'GET /projects/:id/protected_branches',
    summary: 'List the protected branches and wildcards of a project',
    allow: downloadCode,
    input: Type.Object({ ...pageInput, search: optionalText }),
    answer: Type.Array(ProtectedBranchJson),
    async run(context) {
      const { db, config, subject, actor, input, range } = context
      const scope = { project_id: subject.id, search: input.search, actor }
      const { rows, total } = await listProtectedBranches(db, scope, range)
      const items = rows.map((row) => presentProtectedBranch(row, { tier: config.tier }))
      return new Page({ items, total })
    },
  }),

  endpoint({
    route: 'GET /projects/:id/protected_branches/:name',
    summary: 'Get a protected branch or wildcard by its very name',
    allow: downloadCode,
    input: Type.Object(nameInput),
    answer: ProtectedBranchJson,
    async run(context) {
      const { tier } = context.config
      return presentProtectedBranch(await getProtectedBranch(context), { tier })
    },
  }),

  endpoint({
    route: 'POST /projects/:id/protected_branches',
    summary: 'Protect a branch or all that match a wildcard',
    allow: adminBranches,
    input: protectInput,
    status: 201,
    answer: ProtectedBranchJson,
    async run(context) {
      const { subject: project, config, input } = context
      const isPaidTier = config.tier !== 'free'
      await protectBranch(context, project, {
        name: input.name,
        entries: entriesOf(input, isPaidTier),
        allow_force_push: input.allow_force_push ?? false,
        code_owner_approval_required: isPaidTier && input.code_owner_approval_required === true,
      })
      const made = await getProtectedBranch(context)
      return presentProtectedBranch(made, { tier: config.tier, isNew: true })
    },
  }),

  endpoint({
    route: 'PATCH /projects/:id/protected_branches/:name',
    summary: 'Change the protection of a branch',
    tier: 'premium',
    allow: adminBranches,
    input: changeInput,
    answer: ProtectedBranchJson,
    async run(context) {
      const { db, subject, actor, level, config, input } = context
      const rule = await getProtectedBranch(context)
      const { id, name } = rule
      await checkMayUnprotect(db, { project_id: subject.id, name, caller: { actor, level } })
      const { allow_force_push } = input
      // False by default (docs/api/repository.md, "Protected branches"), but kept for a client that
      // sends only the other one.
      const isRequired = input.code_owner_approval_required
      const entries = entryChangesOf(input, rule)
      const isForOthers =
        allow_force_push !== undefined || Object.values(entries).some(({ length }) => length > 0)
      const code_owner_approval_required = isForOthers ? isRequired : (isRequired ?? false)
      const changes = { allow_force_push, code_owner_approval_required }
      await updateProtectedBranch(db, id, changes)
      await changeEntries(context, subject, { rule, changes: entries })
      const changed = { id, name, project_id: subject.id, ...changes, entries }
      await recordProtectionEvent(context, 'branch_protection_changed', changed)
      return presentProtectedBranch(await getProtectedBranch(context), { tier: config.tier })
    },
  }),

  endpoint({
    route: 'DELETE /projects/:id/protected_branches/:name',
    summary: 'End the protection of a branch or wildcard',
    allow: adminBranches,
    input: Type.Object(nameInput),
    status: 204,
    async run(context) {
      const { db, subject, actor, level, request } = context
      const { id, name, created_at } = await getProtectedBranch(context)
      checkUnmodified(request, created_at)
      await checkMayUnprotect(db, { project_id: subject.id, name, caller: { actor, level } })
      await deleteProtectedBranch(db, id)
      const ended = { id, name, project_id: subject.id }
      await recordProtectionEvent(context, 'branch_unprotected', ended)
    },
  }),
]
