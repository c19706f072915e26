// A diff of any length, one page of files at a time (docs/api/repository.md, "Diffs by file").
import { type Static, Type } from 'typebox'
import type { GitAccess } from '../../../git/git.ts'
import type { Oid } from '../../../git/names.ts'
import type { PagedDiffFile } from '../../../git/paged-diff.ts'
import type { Repository } from '../../../git/repository.ts'
import { Page, type PageRange } from '../../../http/pagination.ts'
import { namedObject, nullableInteger, oneOf } from '../../../http/schema.ts'
import { createGeneratedPathMatcher } from '../languages/generated-paths.ts'
import { DiffJson, presentDiff } from './diff.ts'

/** The parameters of all lists of changed files. Without any of them the response has its original form. */
export const diffInput = {
  text: Type.Optional(
    Type.Boolean({
      description: 'Whether to tell the changes themselves, or their figures alone.',
    }),
  ),
  whitespace: Type.Optional(
    oneOf(['show', 'ignore'], { description: 'Whether changes of white space count.' }),
  ),
  expanded: Type.Optional(
    Type.Boolean({ description: 'Whether to tell longer changes of a file too.' }),
  ),
}

export type DiffInput = { text?: boolean; whitespace?: 'show' | 'ignore'; expanded?: boolean }

/** Whether the request uses parameters of the extended response. */
export function isDiffPageRequested({ text, whitespace, expanded }: DiffInput): boolean {
  return text !== undefined || whitespace !== undefined || expanded !== undefined
}

/** A changed file with its numbers of lines. `diff` is missing if only the numbers are requested. */
export const PagedDiffJson = namedObject('ChangedFile', {
  ...DiffJson.properties,
  diff: Type.Optional(Type.String()),
  added_lines: nullableInteger,
  removed_lines: nullableInteger,
  generated_file: Type.Boolean(),
  collapsed: Type.Boolean(),
  too_large: Type.Boolean(),
})

/**
 * Returns a page of the files that changed between two commits; without `from` all files are added. With `paths` only these
 * are included.
 */
export async function readDiffPage(
  git: GitAccess,
  repository: Repository,
  {
    from,
    to,
    paths,
    input,
    range,
  }: {
    from?: Oid
    to: Oid
    paths?: readonly string[]
    input: DiffInput
    range: PageRange
  },
): Promise<Page> {
  const { text = true, whitespace, expanded: isExpanded = false } = input
  const span = { from, to, ignoresSpace: whitespace === 'ignore', paths }
  const { offset, per_page } = range
  const [{ files, total }, isGenerated] = await Promise.all([
    git.pagedDiffs.page(repository, span, { offset, per_page, isExpanded }),
    createGeneratedPathMatcher(git, repository, to),
  ])
  const items = files.map((file) =>
    presentPaged(file, { hasText: text, isExpanded, isGenerated: isGenerated(file.newPath) }),
  )
  return new Page({ items, total })
}

function presentPaged(
  file: PagedDiffFile,
  {
    hasText,
    isExpanded,
    isGenerated,
  }: { hasText: boolean; isExpanded: boolean; isGenerated: boolean },
): Static<typeof PagedDiffJson> {
  const { diff, ...names } = presentDiff(file)
  const isTooLarge = isExpanded && file.leftOut === 'too-long'
  return {
    ...names,
    ...(hasText && { diff }),
    added_lines: file.added ?? null,
    removed_lines: file.removed ?? null,
    generated_file: isGenerated,
    collapsed: file.leftOut !== undefined && !isTooLarge,
    too_large: isTooLarge,
  }
}
