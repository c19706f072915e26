// The public face of branches: how a name finds one, and which of many a list shows.
import { findRefDates } from '../../git/ancestry.ts'
import type { Git } from '../../git/command.ts'
import { branchRef, type Oid, type RefName } from '../../git/names.ts'
import { listRefs, type Ref, readRef } from '../../git/refs.ts'
import type { Repository } from '../../git/repository.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { searchByName } from '../../kernel/name-search.ts'

export type Branch = { name: string; ref: RefName; oid: Oid }

const prefix = 'refs/heads/'

export function branchOf({ name, oid }: Ref): Branch {
  return { name: name.slice(prefix.length), ref: name, oid }
}

/** The branch of that name; 400 for a name no branch can have, 404 for an unknown one. */
export function getBranch(repository: Repository, name: string): Branch {
  const ref = branchRef(name)
  if (!ref) throw invalid('The branch refname is invalid')
  const oid = readRef(repository, ref)
  if (!oid) throw notFound('Branch')
  return { name, ref, oid }
}

export const branchOrders = ['name_asc', 'updated_asc', 'updated_desc'] as const
export type BranchOrder = (typeof branchOrders)[number]

/**
 * All branches that match, in order. By name it costs the listing alone, which is kept; by date at
 * most one process.
 */
export async function listBranches(
  git: Git,
  repository: Repository,
  { search = '', sort = 'name_asc' }: { search?: string; sort?: BranchOrder },
): Promise<readonly Branch[]> {
  const branches = listRefs(repository, prefix).map(branchOf)
  if (sort !== 'name_asc') await sortByDate(git, repository, branches, sort)
  return searchByName(branches, search)
}

async function sortByDate(
  git: Git,
  repository: Repository,
  branches: Branch[],
  sort: BranchOrder,
): Promise<void> {
  const refs = branches.map(({ ref, oid }) => ({ name: ref, oid }))
  const dates = await findRefDates(git, repository, { refs, below: prefix })
  const sign = sort === 'updated_asc' ? 1 : -1
  // The sort is stable: branches of the same second stay in the order of their names.
  branches.sort((a, b) => sign * ((dates.get(a.oid) ?? 0) - (dates.get(b.oid) ?? 0)))
}

/** The part of an ordered list after the branch of that name, which may be gone by now. */
export function branchesAfter(branches: readonly Branch[], token: string | undefined): Branch[] {
  if (token === undefined || token === '') return [...branches]
  const at = branches.findIndex(({ name }) => name === token)
  return at >= 0 ? branches.slice(at + 1) : branches.filter(({ name }) => name > token)
}
