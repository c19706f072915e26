// Searches the repository of a project, for callers who may read the code.

import { Type } from 'typebox'
import type { GitAccess } from '../../../git/git.ts'
import type { Commit } from '../../../git/objects.ts'
import { resolveCommit } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { namedObject } from '../../../http/schema.ts'
import { parseSearchTerms } from './search-terms.ts'

export const BlobSearchResultJson = namedObject('BlobHit', {
  basename: Type.String(),
  data: Type.String(),
  path: Type.String(),
  filename: Type.String(),
  id: Type.Null(),
  ref: Type.String(),
  startline: Type.Integer(),
  project_id: Type.Integer(),
})

type Range = { offset: number; per_page: number }
type Place = { repository: Repository; project_id: number; ref: string }

/** Returns one page of the passages that contain the text; without a total if the search was cut short. */
export async function searchBlobs(
  git: GitAccess,
  { repository, project_id, ref }: Place,
  search: string,
  { offset, per_page }: Range,
) {
  const { text, admits } = parseSearchTerms(search)
  const commit = text === '' ? undefined : await resolveCommit(git.objects, repository, ref)
  if (!commit) return { items: [], total: 0 }
  const { passages, isCut } = await git.texts.find(repository, { commit, text })
  const found = passages.filter(({ path }) => admits(path))
  const items = found.slice(offset, offset + per_page).map(({ path, startline, text: data }) => ({
    basename: withoutExtension(path),
    data,
    path,
    filename: path,
    id: null,
    ref,
    startline,
    project_id,
  }))
  return { items, total: isCut ? undefined : found.length }
}

/** Removes the extension of a path. A name with only a leading dot has none. */
function withoutExtension(path: string): string {
  const dot = path.lastIndexOf('.')
  return dot > path.lastIndexOf('/') + 1 ? path.slice(0, dot) : path
}

/** Returns one page of the commits whose message contains the text; a commit named by its hash comes first. */
export async function searchCommits(
  git: GitAccess,
  { repository, ref }: Place,
  search: string,
  { offset, per_page }: Range,
): Promise<Commit[]> {
  const tip = await resolveCommit(git.objects, repository, ref)
  const message = search.trim()
  if (!tip || message === '') return []
  const named = /^[0-9a-f]{7,40}$/i.test(message)
    ? await resolveCommit(git.objects, repository, message.toLowerCase())
    : undefined
  const isFirst = named !== undefined && offset === 0
  const oids = await git.lists.page(
    repository,
    { tips: [tip], hidden: [] },
    { message },
    {
      offset: named && !isFirst ? offset - 1 : offset,
      limit: isFirst ? per_page - 1 : per_page,
    },
  )
  const found = isFirst ? [named, ...oids] : oids
  return git.objects.commits(repository, found)
}
