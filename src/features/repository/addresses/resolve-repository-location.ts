// Resolves the part of an address inside of a project: the reference, and the path with the kind of object there.
import type { GitAccess } from '../../../git/git.ts'
import { asOid, branchRef, type Oid, tagRef } from '../../../git/names.ts'
import { readHeadBranch, readRef, resolveCommit } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { findTreeEntry } from '../../../git/trees.ts'
import { splitRefAndPath } from './split-ref-and-path.ts'

/** Sections whose address continues with a reference and a path. */
const treeSections = new Set(['tree', 'blob', 'blame', 'raw', 'edit', 'new', 'commits'])
/** Sections whose address continues with a reference only. */
const referenceSections = new Set(['commit', 'find_file', 'graphs'])

/** `from` and `from_commit` are the other side of a comparison. */
export type RepositoryLocation = {
  ref: string | null
  ref_type: 'branch' | 'tag' | 'commit' | null
  commit: string | null
  path: string | null
  entry_type: 'tree' | 'blob' | 'commit' | null
  from: string | null
  from_commit: string | null
}

export const emptyRepositoryLocation: RepositoryLocation = {
  ref: null,
  ref_type: null,
  commit: null,
  path: null,
  entry_type: null,
  from: null,
  from_commit: null,
}

/**
 * Returns the reference and path that the rest of a URL refers to. All fields are null for a section without a reference and
 * for a missing reference.
 */
export async function resolveRepositoryLocation(
  git: GitAccess,
  repository: Repository,
  [section = '', ...rest]: readonly string[],
): Promise<RepositoryLocation> {
  if (section === '') return resolveHome(repository)
  if (section === 'compare') return resolveComparison(git, repository, rest.join('/'))
  if (referenceSections.has(section)) return resolveReference(git, repository, rest.join('/'))
  if (!treeSections.has(section)) return emptyRepositoryLocation
  const found = await splitRefAndPath(git, repository, { parts: rest, path_parts_min: 0 })
  if (!found) return emptyRepositoryLocation
  const { ref, commit, path } = found
  const entry_type = await typeAt(git, repository, { commit, path })
  return {
    ...emptyRepositoryLocation,
    ref,
    ref_type: typeOf(repository, ref),
    commit,
    path,
    entry_type,
  }
}

/** The home page of a project shows the root folder of its default branch. */
function resolveHome(repository: Repository): RepositoryLocation {
  const head = readHeadBranch(repository)
  const commit = head && readRef(repository, head)
  if (!commit) return emptyRepositoryLocation
  const ref = head.slice('refs/heads/'.length)
  return {
    ...emptyRepositoryLocation,
    ref,
    ref_type: 'branch',
    commit,
    path: '',
    entry_type: 'tree',
  }
}

async function resolveReference(
  git: GitAccess,
  repository: Repository,
  ref: string,
): Promise<RepositoryLocation> {
  const commit = await resolveCommit(git.objects, repository, ref)
  if (!commit) return emptyRepositoryLocation
  return { ...emptyRepositoryLocation, ref, ref_type: typeOf(repository, ref), commit }
}

/** Resolves `FROM...REF` or `FROM..REF`. Names of references contain no two dots in a row. */
async function resolveComparison(
  git: GitAccess,
  repository: Repository,
  text: string,
): Promise<RepositoryLocation> {
  const dots = text.indexOf('..')
  if (dots < 0) return emptyRepositoryLocation
  const from = text.slice(0, dots)
  const side = await resolveReference(git, repository, text.slice(dots).replace(/^\.{2,3}/, ''))
  const from_commit = await resolveCommit(git.objects, repository, from)
  if (!from_commit || side.commit === null) return emptyRepositoryLocation
  return { ...side, from, from_commit }
}

/** Returns the type of a reference, checked in the same order as in `resolveCommit`. */
function typeOf(repository: Repository, ref: string): 'branch' | 'tag' | 'commit' {
  const [tag, branch] = [tagRef(ref), branchRef(ref)]
  if (asOid(ref)) return 'commit'
  if (tag && readRef(repository, tag)) return 'tag'
  return branch && readRef(repository, branch) ? 'branch' : 'commit'
}

async function typeAt(
  git: GitAccess,
  repository: Repository,
  { commit, path }: { commit: Oid; path: string },
): Promise<RepositoryLocation['entry_type']> {
  if (path === '') return 'tree'
  const tree = (await git.objects.commit(repository, commit))?.tree
  const entry = tree && (await findTreeEntry(git.objects, repository, tree, path))
  if (!entry) return null
  return entry.mode === '040000' ? 'tree' : entry.mode === '160000' ? 'commit' : 'blob'
}
