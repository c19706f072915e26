// Pages of the entries of a tree, read from trees that are cached by their ids.
import type { GitAccess } from '../../../git/git.ts'
import type { Oid } from '../../../git/names.ts'
import type { Commit } from '../../../git/objects.ts'
import { resolveCommit } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { findTreeEntry, type ListedTreeEntry, listTree, walkTree } from '../../../git/trees.ts'
import { notFound, unprocessable } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'

/** A folder of a commit; `root` is its tree. */
export type TreeLocation = { repository: Repository; commit: Oid; root: Oid; path: string }
type Runs = AsyncIterable<readonly ListedTreeEntry[]>

/**
 * Returns the tree at `path` in `ref`. Throws 404 `Tree` for an unknown ref, and a 404 with another text for an unknown
 * path.
 */
export async function getTree(
  git: GitAccess,
  repository: Repository,
  { ref, path: given }: { ref: string; path: string },
): Promise<TreeLocation> {
  const commit = await resolveCommit(git.objects, repository, ref)
  const root = commit && (await git.objects.commit(repository, commit))?.tree
  if (!commit || !root) throw notFound('Tree')
  const path = given
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
  if (path === '') return { repository, commit, root, path }
  const entry = await findTreeEntry(git.objects, repository, root, path)
  if (entry?.mode !== '040000') throw notFound('invalid revision or path')
  return { repository, commit, root: entry.oid, path }
}

/** Yields the entries after the first `skip`. */
export async function* readTreeEntries(
  git: GitAccess,
  { repository, root, path }: TreeLocation,
  { recursive, skip = 0 }: { recursive: boolean; skip?: number },
): Runs {
  const { tree_entries_max: entries_max } = limits
  if (recursive) yield* walkTree(git.objects, repository, { root, path, entries_max, skip })
  else yield (await listTree(git.objects, repository, { root, path })).slice(skip)
}

/**
 * Returns the commit that last changed each entry of a folder, by name. In a small folder all are found at once, whichever
 * page is requested. While the history is still being searched, `isWhole` is false and names are missing; call it again
 * later.
 */
export async function readLastCommitsOfEntries(
  git: GitAccess,
  { repository, commit, root, path }: TreeLocation,
  items: readonly ListedTreeEntry[],
): Promise<{ commits: ReadonlyMap<string, Commit>; isWhole: boolean }> {
  if (items.length === 0) return { commits: new Map(), isWhole: true }
  const all = (await git.objects.tree(repository, root)) ?? []
  const asked = all.length <= limits.last_commits_max ? all : items
  const names = asked.map(({ name }) => name)
  const { found, isWhole } = await git.lastCommits.of(repository, { commit, folder: path, names })
  const read = await git.objects.commits(repository, [...new Set(found.values())])
  const byOid = new Map(read.map((one) => [one.oid, one]))
  const commits = new Map(
    items.flatMap(({ name }) => {
      const last = byOid.get(found.get(name) ?? commit)
      return found.has(name) && last ? [[name, last]] : []
    }),
  )
  return { commits, isWhole }
}

type Read = (skip: number) => Runs

/** Returns a page by number, and the total unless there are too many entries to count. */
export async function readTreePage(
  read: Read,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ items: ListedTreeEntry[]; total: number | undefined }> {
  // Beyond this offset no total is sent, so the entries before it are not counted.
  const isFarOn = offset > limits.counted_rows_max
  const items: ListedTreeEntry[] = []
  const skip = isFarOn ? offset : 0
  let count = skip
  for await (const run of read(skip)) {
    const from = Math.max(0, offset - count)
    items.push(...run.slice(from, from + per_page - items.length))
    count += run.length
    if (count > limits.counted_rows_max && items.length === per_page) break
  }
  return { items, total: isFarOn || count > limits.counted_rows_max ? undefined : count }
}

/**
 * Returns the entries after the one in a token, and the token of the next page. A token is the id of the last entry
 * (docs/api/repository.md, "Trees"). Since other entries may have the same id, our tokens also contain its position.
 */
export async function readTreePageAfter(
  read: Read,
  { token, per_page }: { token: string; per_page: number },
): Promise<{ items: ListedTreeEntry[]; next: string | undefined }> {
  const start = token === '' ? 0 : await findStart(read, token)
  if (start === undefined) throw unprocessable(`Invalid page token: ${token}`)
  const items: ListedTreeEntry[] = []
  for await (const run of read(start)) {
    items.push(...run.slice(0, per_page + 1 - items.length))
    if (items.length > per_page) break
  }
  const page = items.slice(0, per_page)
  const last = page.at(-1)
  const hasNext = items.length > per_page
  return {
    items: page,
    next: hasNext && last ? `${last.oid}.${start + page.length - 1}` : undefined,
  }
}

/**
 * Returns the position after the token's entry; if it is not at its former position, after the first entry
 * with its id.
 */
async function findStart(read: Read, token: string): Promise<number | undefined> {
  const [oid, position] = token.split('.')
  const wanted = Number(position)
  if (Number.isSafeInteger(wanted) && wanted >= 0) {
    for await (const [entry] of read(wanted)) {
      if (entry?.oid === oid) return wanted + 1
      break
    }
  }
  let count = 0
  for await (const run of read(0)) {
    const at = run.findIndex((entry) => entry.oid === oid)
    if (at >= 0) return count + at + 1
    count += run.length
  }
  return undefined
}
