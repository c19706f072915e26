// Validation of a group's own fields, with the messages that clients know.
import type { Visibility } from '../../../db/db.ts'
import { type FieldErrors, formatFieldErrors } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { groupNameProblems, pathProblems, rangeProblems } from '../../../kernel/names.ts'

const ranks: Record<Visibility, number> = { private: 0, internal: 1, public: 2 }
const description_characters = 255

type Candidate = {
  name: string
  path: string
  description: string
  visibility: Visibility
  settings: {
    two_factor_grace_period?: number
    repository_size_limit?: number | null
    storage_size_limit?: number | null
  }
  parent: { visibility: Visibility } | undefined
  /** The visibilities of the projects and subgroups in the group. */
  within?: { projects: readonly Visibility[]; subgroups: readonly Visibility[] }
}

/** Returns the validation problems of a group by field; empty if it is valid. */
export function groupProblems(group: Candidate): FieldErrors {
  const problems: FieldErrors = {}
  const add = (field: string, messages: string[]) => {
    if (messages.length > 0) problems[field] = messages
  }
  add('name', groupNameProblems(group.name))
  add('path', pathProblems(group.path, { kind: 'group', isTopLevel: group.parent === undefined }))
  if ([...group.description].length > description_characters) {
    add('description', [`is too long (maximum is ${description_characters} characters)`])
  }
  const { two_factor_grace_period } = group.settings
  add('two_factor_grace_period', rangeProblems(two_factor_grace_period, limits.integer_max))
  for (const name of ['repository_size_limit', 'storage_size_limit'] as const) {
    add(name, rangeProblems(group.settings[name], Number.MAX_SAFE_INTEGER))
  }
  add('visibility_level', visibilityProblems(group))
  return problems
}

function visibilityProblems({ visibility, parent, within }: Candidate): string[] {
  const isBelow = (other: Visibility) => ranks[visibility] < ranks[other]
  const messages: string[] = []
  if (parent && ranks[visibility] > ranks[parent.visibility]) {
    const reason = `the parent group has a ${parent.visibility} visibility`
    messages.push(`${visibility} is not allowed since ${reason}.`)
  }
  if (within?.projects.some(isBelow)) {
    messages.push(
      `${visibility} is not allowed since this group contains projects with higher visibility.`,
    )
  }
  if (within?.subgroups.some(isBelow)) {
    messages.push(`${visibility} is not allowed since there are sub-groups with higher visibility.`)
  }
  return messages
}

/** Formats the problems of a failed creation as Ruby prints a hash, which clients match. */
export function failedToSaveGroupText(problems: FieldErrors): string {
  return `Failed to save group ${formatFieldErrors(problems)}`
}
