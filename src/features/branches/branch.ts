// The public face of branches: how a name finds one, and which of many a list shows.
import { findCommitDates } from '../../git/ancestry.ts'
import type { Git } from '../../git/command.ts'
import { branchRef, type Oid, type RefName } from '../../git/names.ts'
import { listRefs, type Ref, readRef } from '../../git/refs.ts'
import type { Repository } from '../../git/repository.ts'
import { invalid, notFound } from '../../kernel/errors.ts'
import { matchesWildcard } from '../../kernel/wildcard.ts'

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
): Promise<Branch[]> {
  const matches = nameFilter(search)
  const branches = listRefs(repository, prefix)
    .map(branchOf)
    .filter(({ name }) => matches(name))
  if (sort !== 'name_asc') await sortByDate(git, repository, branches, sort)
  const isExact = ({ name }: Branch) => name.toLowerCase() === search.toLowerCase()
  const exact = search === '' ? [] : branches.filter(isExact)
  return exact.length === 0 ? branches : [...exact, ...branches.filter((one) => !isExact(one))]
}

async function sortByDate(
  git: Git,
  repository: Repository,
  branches: Branch[],
  sort: BranchOrder,
): Promise<void> {
  const refs = branches.map(({ ref, oid }) => ({ name: ref, oid }))
  const dates = await findCommitDates(git, repository, refs)
  const sign = sort === 'updated_asc' ? 1 : -1
  // The sort is stable: branches of the same second stay in the order of their names.
  branches.sort((a, b) => sign * ((dates.get(a.oid) ?? 0) - (dates.get(b.oid) ?? 0)))
}

/**
 * What `search` means (behaviour, section 3.1): a part of the name in any case; with `^`, `$` or `*` a
 * pattern, in which the first `^` is the start, the first `$` the end and every `*` anything.
 */
function nameFilter(search: string): (name: string) => boolean {
  const term = search.toLowerCase()
  if (!/[$^*]/.test(term)) return (name) => name.toLowerCase().includes(term)
  const start = term.indexOf('^')
  const end = term.indexOf('$')
  const isEmptyOrStars = (text: string) => /^\**$/.test(text)
  // Something before the start or after the end is nowhere.
  if (start > 0 && !isEmptyOrStars(term.slice(0, start))) return () => false
  if (end >= 0 && !isEmptyOrStars(term.slice(end + 1))) return () => false
  const body = term.slice(start + 1, end < 0 ? undefined : end)
  const pattern = `${start < 0 ? '*' : ''}${body}${end < 0 ? '*' : ''}`
  return (name) => matchesWildcard(pattern, name.toLowerCase())
}

/** The part of an ordered list after the branch of that name, which may be gone by now. */
export function branchesAfter(branches: readonly Branch[], token: string | undefined): Branch[] {
  if (token === undefined || token === '') return [...branches]
  const at = branches.findIndex(({ name }) => name === token)
  return at >= 0 ? branches.slice(at + 1) : branches.filter(({ name }) => name > token)
}
