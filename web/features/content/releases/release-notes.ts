// Suggested notes of a release, generated from the changes since the previous tag.
import { call } from '../../../api/call.ts'
import { fetchAllPages } from '../../../api/use-api.ts'
import { releases as words } from '../../../text/releases.ts'

/** `to` is the tag if it exists, otherwise the reference from which it will be created. */
type Asked = { id: number; tag: string; to: string }

const requests_max = 500

/** The section of a changelog; empty without changes. Throws `Refusal`. */
export async function fetchNotesFromChangelog({ id, tag, to }: Asked): Promise<string> {
  const { notes } = await call('GET /projects/:id/repository/changelog', { id, version: tag, to })
  return notes.trim()
}

/** A list of the merge requests whose commits came since the tag before; empty without any. Throws `Refusal`. */
export async function fetchNotesFromMergeRequests({ id, tag, to }: Asked): Promise<string> {
  const [before, merged] = await Promise.all([
    findTagBefore(id, tag),
    fetchAllPages(
      'GET /projects/:id/merge_requests',
      { id, state: 'merged', order_by: 'merged_at', sort: 'desc' },
      requests_max,
    ),
  ])
  const since = before && (await findCommits(id, { from: before, to }))
  const lines = merged.flatMap((request) => {
    if (!('merge_commit_sha' in request)) return []
    const { title, iid, author, merge_commit_sha, squash_commit_sha, sha } = request
    const isNew = !since || [merge_commit_sha, squash_commit_sha, sha].some((one) => since.has(one))
    return isNew ? [`- ${title} (!${iid}) by @${author.username}`] : []
  })
  return lines.length === 0 ? '' : `## ${words.mergedHeading}\n\n${lines.join('\n')}`
}

/** Returns the newest tag before `tag`, or the newest tag of all if `tag` does not exist. */
async function findTagBefore(id: number, tag: string): Promise<string | undefined> {
  const input = { id, order_by: 'updated', sort: 'desc', per_page: 100 } as const
  const tags = await call('GET /projects/:id/repository/tags', input)
  return tags[tags.findIndex(({ name }) => name === tag) + 1]?.name
}

async function findCommits(
  id: number,
  { from, to }: { from: string; to: string },
): Promise<Set<string | null>> {
  const { commits } = await call('GET /projects/:id/repository/compare', { id, from, to })
  return new Set<string | null>(commits.map((commit) => commit.id))
}
