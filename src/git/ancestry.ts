// Answers questions about the commit graph. Ancestry never changes, so a result is cached without expiry, by its pair of
// commits; a warm list of branches starts no process.
import { createLruCache } from '../kernel/lru.ts'
import type { Git } from './command.ts'
import { type Oid, parseGitOid, type RefName } from './names.ts'
import { readGitRecords } from './records.ts'
import type { Ref } from './ref-list.ts'
import { readRef } from './refs.ts'
import type { Repository } from './repository.ts'

const merged = createLruCache<boolean>(50_000)

/**
 * Returns the objects of those references that point at `into` or at an ancestor of it. Runs at most one process for all
 * references, so pass no more than a page of them.
 */
export async function findRefOidsMergedInto(
  git: Git,
  repository: Repository,
  { into, refs }: { into: Oid; refs: readonly Ref[] },
): Promise<Set<Oid>> {
  const keyOf = (oid: Oid) => `${repository.path}:${into}:${oid}`
  const unknown = refs.filter(({ oid }) => oid !== into && !merged.has(keyOf(oid)))
  const reachable = new Set<Oid>([into])
  if (unknown.length > 0) {
    const names = unknown.map(({ name }) => name)
    for (const { oid } of await listRefsMergedInto(git, repository, into, names)) {
      merged.set(keyOf(oid), true)
      reachable.add(oid)
    }
    for (const { name, oid } of unknown) {
      // git has checked the reference, not the commit. If the reference has moved since, the result does not apply.
      if (!reachable.has(oid) && readRef(repository, name) === oid) merged.set(keyOf(oid), false)
    }
  }
  for (const { oid } of refs) if (merged.get(keyOf(oid))) reachable.add(oid)
  return reachable
}

/** Returns the references below the prefixes (or with these full names) that are ancestors of `into`. Runs one process. */
export async function listRefsMergedInto(
  git: Git,
  repository: Repository,
  into: Oid,
  names: readonly (RefName | 'refs/heads/')[],
): Promise<Ref[]> {
  return readRefs(git, repository, [`--merged=${into}`, ...names])
}

/** Returns the branches whose history contains the commit. Runs one process. */
export async function listBranchesContaining(
  git: Git,
  repository: Repository,
  oid: Oid,
): Promise<Ref[]> {
  return readRefs(git, repository, [`--contains=${oid}`, 'refs/heads/'])
}

async function readRefs(
  git: Git,
  repository: Repository,
  which: readonly string[],
): Promise<Ref[]> {
  const refs: Ref[] = []
  const args = ['for-each-ref', '--format=%(objectname) %(refname)', ...which]
  for await (const lines of readGitRecords(git, repository, { args })) {
    for (const line of lines) {
      refs.push({ oid: parseGitOid(line.slice(0, 40)), name: line.slice(41) as RefName })
    }
  }
  return refs
}
