// Merges without a working copy with `git merge-tree`: two commits, or three trees. The installed git finds the merge
// base itself, so trees are wrapped in commits: a base and two children of it.
import { join } from 'node:path'
import { type Git, runGit } from './command.ts'
import { asOid, emptyTreeOid, type Oid, parseGitOid } from './names.ts'
import { closeQuarantine, openQuarantine, quoteAlternatePath } from './quarantine.ts'
import type { Repository } from './repository.ts'
import { type NewObject, newCommit, newTree, writeObjects } from './write.ts'

/** The trees to merge. A missing `base` or `theirs` is an empty tree. */
export type TreesToMerge = { base: Oid | undefined; ours: Oid; theirs: Oid | undefined }

const nobody = { name: 'merge', email: 'merge' }
const epoch = new Date(0)

/**
 * Applies the changes from `base` to `theirs` to `ours`. Returns the resulting tree, or undefined if they conflict. The tree
 * is stored unless `isTrial`.
 */
export async function mergeGitTrees(
  git: Git,
  repository: Repository,
  { base = emptyTreeOid, ours, theirs = emptyTreeOid }: TreesToMerge,
  { isTrial }: { isTrial: boolean },
): Promise<Oid | undefined> {
  const dress = (tree: Oid, ...parents: Oid[]): NewObject =>
    newCommit({ tree, parents, author: nobody, committer: nobody, date: epoch, message: tree })
  const root = dress(base)
  const left = dress(ours, root.oid)
  const right = dress(theirs, root.oid)
  // After a crash, maintenance removes it like the leftovers of a push.
  const quarantine = await openQuarantine(repository)
  try {
    await writeObjects({ path: quarantine.path }, [newTree([]), root, left, right])
    const own = join(repository.path, 'objects')
    const dressed = join(quarantine.path, 'objects')
    const [store, other] = isTrial ? [dressed, own] : [own, dressed]
    const output = await runGit(git, repository, {
      args: [
        'merge-tree',
        '--write-tree',
        '--name-only',
        '--no-messages',
        '-z',
        left.oid,
        right.oid,
      ],
      env: {
        GIT_OBJECT_DIRECTORY: store,
        GIT_ALTERNATE_OBJECT_DIRECTORIES: quoteAlternatePath(other),
      },
      otherStatus: 1,
    })
    // Only the tree if there are no conflicts; otherwise it is followed by the conflicting paths.
    return asOid(output.toString('latin1').replace(/\0$/, ''))
  } finally {
    await closeQuarantine(quarantine)
  }
}

/** The merged tree, or the paths with conflicts. */
export type MergeResult = { tree: Oid } | { conflicts: string[] }

/**
 * Merges `theirs` into `ours`, which have a common ancestor. Runs one process. The tree is stored unless `isTrial`. Objects
 * that a merge with conflicts stores are not reachable.
 */
export async function mergeCommits(
  git: Git,
  repository: Repository,
  { ours, theirs }: { ours: Oid; theirs: Oid },
  { isTrial }: { isTrial: boolean },
): Promise<MergeResult> {
  const quarantine = isTrial ? await openQuarantine(repository) : undefined
  try {
    const output = await runGit(git, repository, {
      args: ['merge-tree', '--write-tree', '--name-only', '--no-messages', '-z', ours, theirs],
      env: quarantine?.env,
      otherStatus: 1,
    })
    const [first = '', ...paths] = output.toString('utf8').split('\0')
    const conflicts = paths.filter((path) => path !== '')
    return conflicts.length > 0 ? { conflicts } : { tree: parseGitOid(first) }
  } finally {
    if (quarantine) await closeQuarantine(quarantine)
  }
}

/** One version of a file in conflict, as in the index of git. */
export type ConflictSide = { mode: string; oid: Oid }
/** A path in conflict. A side is undefined if it does not have the file, or has it under another name. */
export type ConflictedPath = {
  path: string
  base?: ConflictSide
  ours?: ConflictSide
  theirs?: ConflictSide
}

const stageNames = { 1: 'base', 2: 'ours', 3: 'theirs' } as const

/**
 * Merges like `mergeCommits`. Returns the merged tree, which is stored and has conflict markers in the conflicting files,
 * and the list of these files. Each marker is labelled with the hash of the commit of its side.
 */
export async function mergeWithConflicts(
  git: Git,
  repository: Repository,
  { ours, theirs }: { ours: Oid; theirs: Oid },
): Promise<{ tree: Oid; conflicts: ConflictedPath[] }> {
  const output = await runGit(git, repository, {
    args: ['merge-tree', '--write-tree', '--no-messages', '-z', ours, theirs],
    otherStatus: 1,
  })
  const [first = '', ...lines] = output.toString('utf8').split('\0')
  const byPath = new Map<string, ConflictedPath>()
  for (const line of lines) {
    const [, mode, oid, stage, path] = /^(\d+) ([0-9a-f]+) ([123])\t(.+)$/s.exec(line) ?? []
    if (!mode || !oid || !path) continue
    const known = byPath.get(path) ?? { path }
    const name = stageNames[Number(stage) as keyof typeof stageNames]
    byPath.set(path, { ...known, [name]: { mode, oid: parseGitOid(oid) } })
  }
  return { tree: parseGitOid(first), conflicts: [...byPath.values()] }
}
