// The public face of tags: how a name finds one, and which of many a list shows.
import { findRefDates } from '../../git/ancestry.ts'
import type { Git } from '../../git/command.ts'
import { type Oid, type RefName, tagRef } from '../../git/names.ts'
import { listRefs, readRef } from '../../git/refs.ts'
import type { Repository } from '../../git/repository.ts'
import { notFound, unprocessable } from '../../kernel/errors.ts'
import { searchByName } from '../../kernel/name-search.ts'
import { compareVersions, versionOf } from './version-order.ts'

/** `oid` is the tag object's own name for an annotated tag, that of what it points at for any other. */
export type Tag = { name: string; ref: RefName; oid: Oid }

const prefix = 'refs/tags/'

/** The tag of that name; 404 also for a name no tag can have. */
export function getTag(repository: Repository, name: string): Tag {
  const ref = tagRef(name)
  const oid = ref && readRef(repository, ref)
  if (!oid) throw notFound('Tag')
  return { name, ref, oid }
}

export const tagOrders = ['name', 'updated', 'version'] as const
export const tagDirections = ['asc', 'desc'] as const
type TagOrder = {
  order_by?: (typeof tagOrders)[number]
  sort?: (typeof tagDirections)[number]
}

/**
 * All tags that match, in order, the newest first by default. By name or version it costs the listing
 * alone, which is kept; by date at most one process.
 */
export async function listTags(
  git: Git,
  repository: Repository,
  { search = '', order_by = 'updated', sort = 'desc' }: TagOrder & { search?: string },
): Promise<readonly Tag[]> {
  const refs = listRefs(repository, prefix)
  const listed = refs.map(({ name, oid }) => ({ name: name.slice(prefix.length), ref: name, oid }))
  const tags = await inOrder(listed, order_by, () =>
    findRefDates(git, repository, { refs, below: prefix }),
  )
  return searchByName(sort === 'asc' ? tags : tags.reverse(), search)
}

/** Lowest first; the sort is stable, so tags of the same second stay in the order of their names. */
async function inOrder(
  tags: Tag[],
  order: (typeof tagOrders)[number],
  findDates: () => Promise<ReadonlyMap<Oid, number>>,
): Promise<Tag[]> {
  if (order === 'name') return tags
  if (order === 'version') return sortBy(tags, ({ name }) => versionOf(name), compareVersions)
  const dates = await findDates()
  return sortBy(
    tags,
    ({ oid }) => dates.get(oid) ?? 0,
    (a, b) => a - b,
  )
}

/** Makes the key of each once, not at every comparison. */
function sortBy<T, K>(items: readonly T[], keyOf: (item: T) => K, compare: (a: K, b: K) => number) {
  return items
    .map((item) => ({ item, key: keyOf(item) }))
    .sort((a, b) => compare(a.key, b.key))
    .map(({ item }) => item)
}

/**
 * The part of an ordered list after the tag of that name. Where it is gone by now, only an order by name
 * tells where it was; in any other it is a 422.
 */
export function tagsAfter(
  tags: readonly Tag[],
  token: string | undefined,
  { order_by, sort }: TagOrder,
): readonly Tag[] {
  if (token === undefined || token === '') return tags
  const at = tags.findIndex(({ name }) => name === token)
  if (at >= 0) return tags.slice(at + 1)
  if (order_by !== 'name') throw unprocessable(`Invalid page token: ${prefix}${token}`)
  return tags.filter(({ name }) => (sort === 'asc' ? name > token : name < token))
}
