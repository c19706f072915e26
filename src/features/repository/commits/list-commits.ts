// Lists a page of a project's commits with the filters of the commit list (docs/api/repository.md, "Commits").
import {
  allRefsRevisionRange,
  normalizeListPath,
  type RevisionRange,
  resolveRevisionRange,
} from '../../../git/commit-list.ts'
import type { GitAccess } from '../../../git/git.ts'
import type { Commit } from '../../../git/objects.ts'
import type { Repository } from '../../../git/repository.ts'
import { invalid } from '../../../kernel/errors.ts'

export type CommitListFilter = {
  /** A revision or range. Empty or absent means HEAD. */
  ref_name?: string
  /** ISO 8601; both limits are inclusive. */
  since?: string
  until?: string
  path?: string
  author?: string
  /** A text to search in the messages, ignoring case. `author` then ignores case too. */
  search?: string
  all?: boolean
  first_parent?: boolean
  order?: 'default' | 'topo'
}

export async function listCommits(
  git: GitAccess,
  repository: Repository,
  filter: CommitListFilter,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<Commit[]> {
  const span = await findSpan(git, repository, filter)
  const path = normalizeListPath(filter.path ?? '')
  if (!span || path === undefined) return []
  const oids = await git.lists.page(
    repository,
    span,
    {
      path: path || undefined,
      since_s: filter.since === undefined ? undefined : Math.ceil(Date.parse(filter.since) / 1000),
      until_s: filter.until === undefined ? undefined : Math.floor(Date.parse(filter.until) / 1000),
      author: filter.author || undefined,
      message: filter.search || undefined,
      isFirstParent: filter.first_parent,
      isTopological: filter.order === 'topo',
    },
    { offset, limit: per_page },
  )
  return git.objects.commits(repository, oids)
}

async function findSpan(
  git: GitAccess,
  repository: Repository,
  { ref_name = '', all }: CommitListFilter,
): Promise<RevisionRange | undefined> {
  if (ref_name.startsWith('-') || ref_name.includes(' ')) throw invalid('ref_name is invalid')
  if (all) return allRefsRevisionRange(repository)
  return resolveRevisionRange(git.objects, repository, ref_name || 'HEAD')
}
