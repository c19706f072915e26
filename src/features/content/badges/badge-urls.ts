// Validation of the two URLs of a badge, and the values of their placeholders.
import type { Actor } from '../../../access/actor.ts'
import type { Config } from '../../../config.ts'
import { branchRef } from '../../../git/names.ts'
import { readRef } from '../../../git/refs.ts'
import type { FieldErrors } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import { mayDownloadCode, type Project, projectRepository } from '../../../subjects/project.ts'

const placeholder = /%\{(\w{1,40})\}/g

/** The values of placeholders. A placeholder without a value is left unchanged. */
export type BadgePlaceholders = Readonly<Record<string, string | undefined>>

/** Returns the validation problems of URLs (docs/api/badges.md, "Addresses"). */
export function badgeUrlProblems(urls: Readonly<Record<string, string>>): FieldErrors {
  const problems: FieldErrors = {}
  for (const [field, url] of Object.entries(urls)) {
    const problem = urlProblem(url)
    if (problem) problems[field] = [problem]
  }
  return problems
}

function urlProblem(url: string): string | undefined {
  const maximum = limits.badge_url_characters
  if ([...url].length > maximum) return `is too long (maximum is ${maximum} characters)`
  const filled = url.replace(placeholder, 'placeholder')
  if (filled.trim() === '' || /\s/.test(filled)) return 'must be a valid URL'
  if (!/^https?:\/\//i.test(filled)) return 'is blocked: Only allowed schemes are http, https'
  return URL.canParse(filled) ? undefined : 'must be a valid URL'
}

/** Returns the values of placeholders. The branch and its commit are only for callers who may read the code. */
export function badgePlaceholdersOfProject(
  config: Config,
  { project, level, actor }: { project: Project; level: number; actor: Actor },
): BadgePlaceholders {
  const mayRead = mayDownloadCode({ subject: project, level, actor })
  const branch = mayRead ? (project.default_branch ?? undefined) : undefined
  const ref = branch === undefined ? undefined : branchRef(branch)
  return {
    project_path: project.full_path,
    project_id: String(project.id),
    default_branch: branch,
    commit_sha: ref && readRef(projectRepository(config, project), ref),
  }
}

export function fillBadgePlaceholders(url: string, values: BadgePlaceholders): string {
  return url.replace(placeholder, (text, name: string) => ownValue(values, name) ?? text)
}
