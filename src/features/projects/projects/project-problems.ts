// Validation of a project's own fields, with the messages that clients know.

import { lockAccessRecomputation } from '../../../access/recompute-access.ts'
import type { Db, Visibility } from '../../../db/db.ts'
import { findViolatedIndex } from '../../../db/dialect.ts'
import { branchRef } from '../../../git/names.ts'
import { type FieldErrors, invalid } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { pathProblems, projectNameProblems, rangeProblems } from '../../../kernel/names.ts'
import type { Namespace } from '../../../subjects/namespace.ts'
import type { Project } from '../../../subjects/project.ts'
import type { insertProject } from './project.store.ts'
import { findVisibilitiesOfGroupAndForkSource } from './visibility-bounds.store.ts'

const ranks: Record<Visibility, number> = { private: 0, internal: 1, public: 2 }

/** The settings that Maintainers of a project may change. */
export type ProjectSettings = Partial<
  Omit<
    Parameters<typeof insertProject>[1],
    | 'id'
    | 'namespace_id'
    | 'creator_id'
    | 'state'
    | 'created_at'
    | 'updated_at'
    | 'runners_token'
    | 'runners_token_digest'
  >
>

/** The maximum lengths of texts, in characters. */
const text_characters_max = {
  description: 2000,
  ci_config_path: 255,
  build_coverage_regex: 255,
  external_authorization_classification_label: 255,
  suggestion_commit_message: 255,
  merge_commit_template: 500,
  squash_commit_template: 500,
} as const

/** The maximum number of commits that runners fetch from the history. */
const git_depth_max = 1000

/** Returns the most restricted of several visibilities. */
export function lowestVisibility(visibilities: readonly Visibility[]): Visibility {
  return visibilities.reduce(
    (lowest, next) => (ranks[next] < ranks[lowest] ? next : lowest),
    'public',
  )
}

/** Returns the validation problems of the project's own fields. */
export function projectProblems(project: {
  name: string
  path: string
  visibility: Visibility
  default_branch: string
  namespace: Pick<Namespace, 'kind' | 'visibility'>
  settings: ProjectSettings
  topics?: readonly string[]
}): FieldErrors {
  const problems: FieldErrors = {}
  const add = (field: string, messages: string[]) => {
    if (messages.length > 0) problems[field] = messages
  }
  const { name, path, visibility, namespace, settings, topics = [] } = project
  add('name', projectNameProblems(name))
  add('path', pathProblems(path, { kind: 'project' }))
  for (const [field, characters_max] of Object.entries(text_characters_max)) {
    const text = settings[field as keyof typeof text_characters_max] ?? ''
    if ([...text].length > characters_max) {
      add(field, [`is too long (maximum is ${characters_max} characters)`])
    }
  }
  if (topics.some((topic) => [...topic].length > limits.name_characters)) {
    add('topics', [`is too long (maximum is ${limits.name_characters} characters)`])
  }
  const { ci_default_git_depth, approvals_before_merge } = settings
  add('ci_cd_settings.default_git_depth', rangeProblems(ci_default_git_depth, git_depth_max))
  add('approvals_before_merge', rangeProblems(approvals_before_merge, limits.integer_max))
  const { repository_size_limit } = settings
  add('repository_size_limit', rangeProblems(repository_size_limit, Number.MAX_SAFE_INTEGER))
  const timeout_s = settings.build_timeout ?? 3600
  if (timeout_s < 600 || timeout_s > 2_678_400) {
    add('build_timeout', ['needs to be between 10 minutes and 1 month'])
  }
  if (!branchRef(project.default_branch)) add('default_branch', ['is invalid'])
  if (namespace.kind === 'group' && ranks[visibility] > ranks[namespace.visibility]) {
    add('visibility_level', [`${visibility} is not allowed in a ${namespace.visibility} group.`])
  }
  return problems
}

/**
 * Checks that a project is not more visible than its group or, for a fork, its source. Call it with the access lock, since
 * those may have been moved or changed since the caller looked.
 */
export async function ensureProjectVisibilityAllowed(
  tx: Db,
  { id }: Pick<Project, 'id'>,
  visibility: Visibility,
): Promise<void> {
  await lockAccessRecomputation(tx)
  const { group, source } = await findVisibilitiesOfGroupAndForkSource(tx, id)
  const isAbove = (bound: Visibility | null) => bound !== null && ranks[visibility] > ranks[bound]
  const messages = [
    ...(isAbove(group) ? [`${visibility} is not allowed in a ${group} group.`] : []),
    ...(isAbove(source)
      ? [`${visibility} is not allowed since the fork source project has lower visibility.`]
      : []),
  ]
  if (messages.length > 0) throw invalid({ visibility_level: messages })
}

/** Throws if another request has taken the name or path meanwhile. */
export function throwIfNameOrPathTaken(error: unknown): never {
  const index = findViolatedIndex(error)
  if (index === undefined) throw error
  const isPath = index.includes('path')
  throw invalid(takenNameOrPathProblems({ name: !isPath, path: isPath }))
}

export function takenNameOrPathProblems(taken: { name: boolean; path: boolean }): FieldErrors {
  const message = ['has already been taken']
  return {
    ...(taken.name ? { name: message } : {}),
    ...(taken.path || !taken.name ? { path: message } : {}),
  }
}
