// Pages of the entries of a tree, read from trees that are kept by their names.
import type { GitAccess } from '../../git/git.ts'
import type { Oid } from '../../git/names.ts'
import { resolveCommit } from '../../git/refs.ts'
import type { Repository } from '../../git/repository.ts'
import { findEntry, type ListedEntry, listTree, walkTree } from '../../git/trees.ts'
import { notFound, unprocessable } from '../../kernel/errors.ts'
import { limits } from '../../kernel/limits.ts'

export type TreeAt = { repository: Repository; root: Oid; path: string }
type Runs = AsyncIterable<readonly ListedEntry[]>

/** The tree at `path` as of `ref`; 404 `Tree` for an unknown ref, and another text for an unknown path. */
export async function getTree(
  git: GitAccess,
  repository: Repository,
  { ref, path: given }: { ref: string; path: string },
): Promise<TreeAt> {
  const commit = await resolveCommit(git.objects, repository, ref)
  const root = commit && (await git.objects.commit(repository, commit))?.tree
  if (!root) throw notFound('Tree')
  const path = given
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
  if (path === '') return { repository, root, path }
  const entry = await findEntry(git.objects, repository, root, path)
  if (entry?.mode !== '040000') throw notFound('invalid revision or path')
  return { repository, root: entry.oid, path }
}

/** The entries in runs, one by one as they are asked for. */
export async function* readEntries(
  git: GitAccess,
  { repository, root, path }: TreeAt,
  { recursive }: { recursive: boolean },
): Runs {
  const { tree_entries_max: entries_max } = limits
  if (recursive) yield* walkTree(git.objects, repository, { root, path, entries_max })
  else yield await listTree(git.objects, repository, { root, path })
}

/** A page by number, and how many entries there are unless they are too many to count. */
export async function pageOf(
  runs: Runs,
  { offset, per_page }: { offset: number; per_page: number },
): Promise<{ items: ListedEntry[]; total: number | undefined }> {
  const items: ListedEntry[] = []
  const counted_max = Math.max(limits.counted_rows_max, offset + per_page)
  let count = 0
  for await (const run of runs) {
    const from = Math.max(0, offset - count)
    items.push(...run.slice(from, from + per_page - items.length))
    count += run.length
    if (count > counted_max) break
  }
  return { items, total: count > limits.counted_rows_max ? undefined : count }
}

/**
 * The entries after the one a token names, and the token of the next page. A token is the id of the last
 * entry (behaviour, section 5), which other entries may share; ours has its position too.
 */
export async function pageAfter(
  read: () => Runs,
  { token, per_page }: { token: string; per_page: number },
): Promise<{ items: ListedEntry[]; next: string | undefined }> {
  const start = token === '' ? 0 : await findStart(read(), token)
  if (start === undefined) throw unprocessable(`Invalid page token: ${token}`)
  const items: ListedEntry[] = []
  let count = 0
  for await (const run of read()) {
    const from = Math.max(0, start - count)
    items.push(...run.slice(from, from + per_page + 1 - items.length))
    count += run.length
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

/** The position after the entry of the token: where it says, else after the first of that id. */
async function findStart(runs: Runs, token: string): Promise<number | undefined> {
  const [oid, position] = token.split('.')
  const wanted = position === undefined ? -1 : Number(position)
  let first: number | undefined
  let count = 0
  for await (const run of runs) {
    if (run[wanted - count]?.oid === oid) return wanted + 1
    if (first === undefined) {
      const at = run.findIndex((entry) => entry.oid === oid)
      if (at >= 0) first = count + at + 1
    }
    count += run.length
    if (first !== undefined && count > wanted) return first
  }
  return first
}
