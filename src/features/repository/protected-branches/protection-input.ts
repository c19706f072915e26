// Parameters of protected branches, of a project or of all projects in a group.
import { type Static, Type } from 'typebox'
import { Level } from '../../../access/level.ts'
import {
  namedObject,
  oneOfNumbers,
  optionalBoolean,
  optionalInteger,
} from '../../../http/schema.ts'
import { badParameters, recordNotFound } from '../../../kernel/errors.ts'
import { createRoleProtectionEntry, type ProtectionEntryChanges } from './protect-branch.ts'
import type { NewBranchProtectionEntry, ProtectedBranch } from './protected-branch.store.ts'
import type { ProtectionAction } from './protected-branch.ts'

export const protectedBranchNameInput = {
  name: Type.String({ description: 'Name of the branch, or a wildcard such as `*-stable`.' }),
}

const levels = [Level.none, Level.developer, Level.maintainer, Level.admin] as const
/** `Level.none` is excluded: nobody could remove such a rule. */
const unprotectLevels = [Level.developer, Level.maintainer, Level.admin] as const

function level(of: readonly number[]) {
  return Type.Optional(oneOfNumbers(of))
}

function allowedTo(name: string, of: readonly number[]) {
  const entry = namedObject(name, {
    user_id: optionalInteger,
    group_id: optionalInteger,
    access_level: level(of),
  })
  return Type.Optional(Type.Array(entry))
}

/** Returns the schema of an entry: a new one, or with `id` an existing one to change or remove. */
function changedTo(name: string, of: readonly number[]) {
  const entry = namedObject(name, {
    id: optionalInteger,
    user_id: optionalInteger,
    group_id: optionalInteger,
    access_level: level(of),
    _destroy: optionalBoolean,
  })
  return Type.Optional(Type.Array(entry))
}

export const protectBranchInput = Type.Object({
  ...protectedBranchNameInput,
  push_access_level: level(levels),
  merge_access_level: level(levels),
  unprotect_access_level: level(unprotectLevels),
  allow_force_push: Type.Optional(Type.Boolean({ default: false })),
  allowed_to_push: allowedTo('AllowedInput', levels),
  allowed_to_merge: allowedTo('AllowedInput', levels),
  allowed_to_unprotect: allowedTo('AllowedToUnprotectInput', unprotectLevels),
  code_owner_approval_required: Type.Optional(Type.Boolean({ default: false })),
})
type ProtectInput = Static<typeof protectBranchInput>

/**
 * Parses the requested entries; on the free tier one role for each action. The default is Maintainer, unless users, groups
 * or roles are given.
 */
export function parseProtectionEntries(
  input: ProtectInput,
  isPaidTier: boolean,
): NewBranchProtectionEntry[] {
  const of = (action: ProtectionAction): NewBranchProtectionEntry[] => {
    const role = input[`${action}_access_level`]
    const listed = isPaidTier ? listedEntries(input, action) : []
    if (role === undefined && listed.length > 0) return listed
    return [createRoleProtectionEntry(action, role ?? Level.maintainer), ...listed]
  }
  return unique([...of('push'), ...of('merge'), ...of('unprotect')])
}

function listedEntries(input: ProtectInput, action: ProtectionAction): NewBranchProtectionEntry[] {
  const parameter = `allowed_to_${action}` as const
  return (input[parameter] ?? []).map((entry, index) =>
    entryOf(entry, action, `${parameter}[${index}]`),
  )
}

type GivenEntry = { user_id?: number; group_id?: number; access_level?: number }

/** Throws 400 unless exactly one of user, group and role is given. */
function entryOf(
  given: GivenEntry,
  action: ProtectionAction,
  place: string,
): NewBranchProtectionEntry {
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

export const changeProtectedBranchInput = Type.Object({
  ...protectedBranchNameInput,
  allow_force_push: optionalBoolean,
  code_owner_approval_required: optionalBoolean,
  allowed_to_push: changedTo('ChangedInput', levels),
  allowed_to_merge: changedTo('ChangedInput', levels),
  allowed_to_unprotect: changedTo('ChangedToUnprotectInput', unprotectLevels),
})

/** Parses the requested changes of a rule's entries. Throws 404 for an id that is not one of them. */
export function parseProtectionEntryChanges(
  input: Static<typeof changeProtectedBranchInput>,
  { entries }: ProtectedBranch,
): ProtectionEntryChanges {
  const added: NewBranchProtectionEntry[] = []
  const changed: { id: number; entry: NewBranchProtectionEntry }[] = []
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

function unique(entries: readonly NewBranchProtectionEntry[]): NewBranchProtectionEntry[] {
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()]
}
