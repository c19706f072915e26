// Public functions of tags: finds a tag by name, and filters and orders lists.
import type { Git } from '../../../git/command.ts'
import { type Oid, type RefName, tagRef } from '../../../git/names.ts'
import type { RefList } from '../../../git/ref-list.ts'
import {
  filterRefView,
  type RefListView,
  searchRefView,
  sliceRefView,
  sliceRefViewAfter,
  sortRefPositionsWithYields,
  sortRefsByDate,
} from '../../../git/ref-view.ts'
import { listRefs, readRef } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { notFound, unprocessable } from '../../../kernel/errors.ts'
import { compareVersions, parseVersionParts } from './version-order.ts'

/** `oid` is the id of the tag object for an annotated tag, and of the object it points to for any other tag. */
export type Tag = { name: string; ref: RefName; oid: Oid }

const prefix = 'refs/tags/'

/** Returns a tag by name. Throws 404 for a missing tag and for an invalid name. */
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
 * Returns all matching tags in order, newest first by default. By name or version it costs only the cached list of
 * references; by date at most one process.
 */
export async function listTagRefs(
  git: Git,
  repository: Repository,
  { search = '', order_by = 'updated', sort = 'desc' }: TagOrder & { search?: string },
): Promise<RefListView> {
  const refs = await listRefs(repository, prefix)
  const ascending = await inOrder(git, repository, { refs, order: order_by })
  const positions = sort === 'asc' ? ascending : ascending.toReversed()
  return searchRefView({ refs, prefix, positions }, search)
}

/** Returns a range of an ordered list of tags. */
export function sliceTags(view: RefListView, from: number, to: number): Tag[] {
  return sliceRefView(view, from, to).map(({ name, oid }) => ({
    name: name.slice(prefix.length),
    ref: name,
    oid,
  }))
}

/** The order of a list by version, cached as long as the list itself: four bytes for each tag. */
const kept = new WeakMap<RefList, Promise<Int32Array>>()

/** Returns the positions of the tags in ascending order. Tags of the same second are ordered by name. */
async function inOrder(
  git: Git,
  repository: Repository,
  { refs, order }: { refs: RefList; order: (typeof tagOrders)[number] },
): Promise<Int32Array> {
  if (order === 'updated') {
    return sortRefsByDate(git, repository, { refs, below: prefix, direction: 'asc' })
  }
  if (order === 'name') return Int32Array.from({ length: refs.length }, (_, at) => at)
  const known = kept.get(refs) ?? orderByVersion(refs)
  kept.set(refs, known)
  return known
}

async function orderByVersion(refs: RefList): Promise<Int32Array> {
  const versions: ReturnType<typeof parseVersionParts>[] = []
  for await (const run of refs.runs()) {
    for (const { name } of run) versions.push(parseVersionParts(name.slice(prefix.length)))
  }
  return sortRefPositionsWithYields(Int32Array.from(versions.keys()), (a, b) =>
    compareVersions(versions[a] ?? [], versions[b] ?? []),
  )
}

/**
 * Returns the tags after the one with that name. If it was deleted, its position is known only in an order by name; for
 * other orders throws 422.
 */
export function tagRefsAfterPageToken(
  tags: RefListView,
  token: string | undefined,
  { order_by, sort }: TagOrder,
): RefListView {
  if (token === undefined || token === '') return tags
  const rest = sliceRefViewAfter(tags, token)
  if (rest) return rest
  if (order_by !== 'name') throw unprocessable(`Invalid page token: ${prefix}${token}`)
  return filterRefView(tags, (name) => (sort === 'asc' ? name > token : name < token))
}
