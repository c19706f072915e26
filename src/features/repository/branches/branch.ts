// Public functions of branches: finds a branch by name, and filters and orders lists.
import type { Git } from '../../../git/command.ts'
import { branchRef, type Oid, type RefName } from '../../../git/names.ts'
import type { Ref } from '../../../git/ref-list.ts'
import {
  filterRefView,
  filterRefViewByRegex,
  type RefListView,
  searchRefView,
  sliceRefView,
  sliceRefViewAfter,
  sortRefsByDate,
} from '../../../git/ref-view.ts'
import { listRefs, readRef } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { invalid, notFound } from '../../../kernel/errors.ts'
import { compileLinearRegexTest } from '../../../kernel/linear-regex.ts'

export type Branch = { name: string; ref: RefName; oid: Oid }

const prefix = 'refs/heads/'

export function branchFromRef({ name, oid }: Ref): Branch {
  return { name: name.slice(prefix.length), ref: name, oid }
}

/** Returns a branch by name. Throws 400 for an invalid name and 404 for a missing branch. */
export function getBranch(repository: Repository, name: string): Branch {
  const ref = branchRef(name)
  if (!ref) throw invalid('The branch refname is invalid')
  const oid = readRef(repository, ref)
  if (!oid) throw notFound('Branch')
  return { name, ref, oid }
}

export const branchOrders = ['name_asc', 'updated_asc', 'updated_desc'] as const
export type BranchOrder = (typeof branchOrders)[number]

/** `regex` must be an expression that is matched in linear time; others are refused with 400. */
type BranchFilter = { search?: string; regex?: string }

/**
 * Returns all matching branches in order. By name it costs only the cached list of references; by date at most one
 * process.
 */
export async function listBranchRefs(
  git: Git,
  repository: Repository,
  { search = '', regex, sort = 'name_asc' }: BranchFilter & { sort?: BranchOrder },
): Promise<RefListView> {
  const refs = await listRefs(repository, prefix)
  const direction = sort === 'updated_asc' ? 'asc' : 'desc'
  const positions =
    sort === 'name_asc'
      ? Int32Array.from({ length: refs.length }, (_, at) => at)
      : await sortRefsByDate(git, repository, { refs, below: prefix, direction })
  const view = { refs, prefix, positions }
  if (!regex) return searchRefView(view, search)
  const test = compileLinearRegexTest(regex)
  if (!test) throw invalid('Regex is invalid')
  const matching = await filterRefViewByRegex(view, test)
  if (!matching) throw invalid('Regex takes too long')
  return matching
}

/** Returns a range of an ordered list of branches. */
export function sliceBranches(view: RefListView, from: number, to: number): Branch[] {
  return sliceRefView(view, from, to).map(branchFromRef)
}

/** Returns the branches after the one with that name, which may have been deleted since. */
export function branchRefsAfterPageToken(
  branches: RefListView,
  token: string | undefined,
): RefListView {
  if (token === undefined || token === '') return branches
  return sliceRefViewAfter(branches, token) ?? filterRefView(branches, (name) => name > token)
}
