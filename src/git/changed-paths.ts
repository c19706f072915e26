// The paths that commits added, changed and removed; for a merge, relative to its first parent.
import { ownValue } from '../kernel/own-value.ts'
import { type Git, runGit } from './command.ts'
import { GitError } from './errors.ts'
import { asOid, emptyTreeOid, type Oid } from './names.ts'
import type { Quarantine } from './quarantine.ts'
import type { Repository } from './repository.ts'

export type ChangedPaths = { added: string[]; modified: string[]; removed: string[] }

const time_ms_max = 30_000

/**
 * Returns the changed paths of each commit. Runs one process for all of them. If there are too many paths, no commit has
 * any.
 */
export async function listChangedPathsByCommit(
  git: Git,
  repository: Repository,
  commits: readonly Oid[],
): Promise<Map<Oid, ChangedPaths>> {
  const changes = new Map<Oid, ChangedPaths>()
  if (commits.length === 0) return changes
  try {
    const output = await runGit(git, repository, {
      args: [
        ...['log', '--no-walk=unsorted', '--format=%H', '--name-status', '-z', '--no-renames'],
        ...['--diff-merges=first-parent', '--no-mailmap', '--stdin'],
      ],
      stdin: `${commits.join('\n')}\n`,
      timeout_ms: time_ms_max,
    })
    readNames(output, changes)
  } catch (error) {
    if (!(error instanceof GitError)) throw error
    return new Map()
  }
  return changes
}

/**
 * Returns the paths that differ between two commits; without `from`, all paths are added. `quarantine` is the folder with
 * the new objects of a push.
 */
export async function readChangedPaths(
  git: Git,
  repository: Repository,
  {
    from = emptyTreeOid,
    to,
    quarantine,
  }: { from: Oid | undefined; to: Oid; quarantine?: Quarantine | undefined },
): Promise<ChangedPaths> {
  const output = await runGit(git, repository, {
    args: ['diff-tree', '-r', '-z', '--name-status', '--no-renames', from, to],
    env: quarantine?.env,
    timeout_ms: time_ms_max,
  })
  const changes = new Map<Oid, ChangedPaths>()
  readNames(Buffer.concat([Buffer.from(`${to}\0`), output]), changes)
  return changes.get(to) ?? { added: [], modified: [], removed: [] }
}

const lists: Record<string, keyof ChangedPaths> = { A: 'added', D: 'removed' }

/** Commits and entries are parts that end with NUL: a commit is its name, an entry its status and its path. */
function readNames(output: Buffer, changes: Map<Oid, ChangedPaths>): void {
  const parts = output.toString('utf8').split('\0')
  let current: ChangedPaths | undefined
  for (let at = 0; at < parts.length; at++) {
    const part = (parts[at] ?? '').trimStart()
    const oid = part.length === 1 ? undefined : asOid(part)
    if (oid) {
      current = { added: [], modified: [], removed: [] }
      changes.set(oid, current)
    } else if (part !== '' && current) {
      at++
      current[ownValue(lists, part) ?? 'modified'].push(parts[at] ?? '')
    }
  }
}
