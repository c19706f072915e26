// Validation of release links (docs/api/releases.md, "Links").
import { findViolatedIndex } from '../../../db/dialect.ts'
import { type FieldErrors, invalid } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'

export const releaseLinkTypes = ['other', 'runbook', 'image', 'package'] as const

export type NewReleaseLink = {
  name: string
  url: string
  filepath: string | null
  link_type: (typeof releaseLinkTypes)[number]
}

const filepathPattern = /^\/(?:[\w.-]+\/)*[\w.-]*[A-Za-z0-9]$/

export function releaseLinkProblems({
  name,
  url,
  filepath,
}: Omit<NewReleaseLink, 'link_type'>): FieldErrors {
  const problems: FieldErrors = {}
  if (name.trim() === '') problems.name = ["can't be blank"]
  const { name_characters, release_url_characters, release_filepath_characters } = limits
  if ([...name].length > name_characters) {
    problems.name = [`is too long (maximum is ${name_characters} characters)`]
  }
  const urlText = urlProblem(url, release_url_characters)
  if (urlText) problems.url = [urlText]
  if (filepath === null) return problems
  if (filepath.length > release_filepath_characters) {
    problems.filepath = [`is too long (maximum is ${release_filepath_characters} characters)`]
  } else if (!filepathPattern.test(filepath)) {
    problems.filepath = ['is in an invalid format']
  }
  return problems
}

function urlProblem(url: string, characters_max: number): string | undefined {
  if (url.trim() === '') return "can't be blank"
  if (url.length > characters_max) return `is too long (maximum is ${characters_max} characters)`
  if (!/^(https?|ftp):\/\//i.test(url)) {
    return 'is blocked: Only allowed schemes are http, https, ftp'
  }
  return URL.canParse(url) ? undefined : 'must be a valid URL'
}

/** Throws 400 with all problems of the links of a new release, in one sentence. */
export function checkNewReleaseLinks(links: readonly NewReleaseLink[]): void {
  const problems = links.flatMap((link) =>
    Object.entries(releaseLinkProblems(link)).flatMap(([field, texts]) =>
      texts.map((text) => `Links ${field} ${text}`),
    ),
  )
  const repeated = (['name', 'url', 'filepath'] as const).flatMap((field) => {
    const values = links.map((link) => link[field]).filter((value) => value !== null)
    return values.filter((value, at) => values.indexOf(value) < at)
  })
  if (repeated.length > 0) {
    problems.push(`Links have duplicate values (${[...new Set(repeated)].join(', ')})`)
  }
  const maximum = limits.release_links_max
  if (links.length > maximum) problems.push(`Links are too many (maximum is ${maximum})`)
  if (problems.length > 0) throw invalid(`Validation failed: ${[...new Set(problems)].join(', ')}`)
}

/** Runs a statement that stores a link. Throws 400 if another link of the release has the same name or URL. */
export async function withLinkConflictErrors<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } catch (error) {
    const taken = findViolatedIndex(error)
    if (taken === undefined) throw error
    const field = /(name|url|filepath)$/.exec(taken)?.[1] ?? 'name'
    throw invalid({ [field]: ['has already been taken'] })
  }
}
