// The public face of tags: how a name finds one, and which of many a list shows.
import { findRefDates } from '../../git/ancestry.ts'
import type { Git } from '../../git/command.ts'
import { type Oid, type RefName, tagRef } from '../../git/names.ts'
import { listRefs, type Ref, readRef } from '../../git/refs.ts'
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
  const positions = await inOrder(git, repository, { refs, order: order_by })
  const tags = Array.from(positions, (at) => tagOf(refs[at] as Ref))
  return searchByName(sort === 'asc' ? tags : tags.reverse(), search)
}

function tagOf({ name, oid }: Ref): Tag {
  return { name: name.slice(prefix.length), ref: name, oid }
}

type Order = (typeof tagOrders)[number]

/** How a listing was ordered, for as long as it is kept itself: four bytes for each tag. */
const kept = new WeakMap<readonly Ref[], Map<Order, Int32Array>>()

/** Positions in the listing, lowest first; those of the same second stay in the order of their names. */
async function inOrder(
  git: Git,
  repository: Repository,
  { refs, order }: { refs: readonly Ref[]; order: Order },
): Promise<Int32Array> {
  const orders = kept.get(refs) ?? new Map<Order, Int32Array>()
  kept.set(refs, orders)
  const known = orders.get(order)
  if (known) return known
  const positions = Int32Array.from(refs.keys())
  if (order === 'version') {
    const versions = refs.map((ref) => versionOf(tagOf(ref).name))
    positions.sort((a, b) => compareVersions(versions[a] ?? [], versions[b] ?? []))
  } else if (order === 'updated') {
    const dates = await findRefDates(git, repository, { refs, below: prefix })
    const seconds = refs.map(({ oid }) => dates.get(oid) ?? 0)
    positions.sort((a, b) => (seconds[a] ?? 0) - (seconds[b] ?? 0))
  }
  orders.set(order, positions)
  return positions
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
