// Keeps a repository quick to read. Run by tasks, never during a request. No object is pruned: an unreachable one may
// belong to a write that has not moved its reference yet.
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../kernel/clock.ts'
import { type Git, runGit } from './command.ts'
import { GitError } from './errors.ts'
import { areRefsFrozen } from './freeze-refs.ts'
import { removeLeftoverFiles } from './leftovers.ts'
import { estimateRepack_bytes, readPackStats } from './memory-estimate.ts'
import type { Repository } from './repository.ts'
import { maintenanceLockedFiles, retryAfterRemovingStaleLocks } from './stale-locks.ts'

const maintenance_timeout_ms = 60 * 60_000
const loose_objects_max = 500
const loose_refs_max = 100
const packs_max = 4

/**
 * Packs loose objects and updates bitmaps and the commit-graph with changed-path filters. Does nothing in a repository that
 * is being moved to another storage.
 */
export async function maintainRepository(git: Git, repository: Repository): Promise<void> {
  if (areRefsFrozen(repository)) return
  await removeLeftoverFiles(repository, systemClock().getTime())
  const counts = await countFiles(repository)
  const run = (args: string[], memory_bytes?: number) =>
    retryAfterRemovingStaleLocks(repository, maintenanceLockedFiles, () =>
      runGit(git, repository, { args, timeout_ms: maintenance_timeout_ms, memory_bytes }),
    )
  if (counts.looseRefs > loose_refs_max) await run(['pack-refs', '--all', '--prune'])
  // Before the repack, whose walk for bitmaps then needs a third less memory.
  await run([
    'commit-graph',
    'write',
    '--reachable',
    '--changed-paths',
    '--split',
    '--size-multiple=4',
    '--no-progress',
  ])
  const needsPacking = counts.looseObjects > loose_objects_max || counts.packs > packs_max
  if (!needsPacking && (counts.packs === 0 || counts.hasBitmap)) return
  const repack = ['repack', '-d', '-l', '-q', '--geometric=2', '--write-midx']
  const needed_bytes = estimateRepack_bytes(await readPackStats(repository))
  const hasRoom = needed_bytes <= git.memory.most_bytes()
  const isMade =
    hasRoom && (await succeeds(() => run([...repack, '--write-bitmap-index'], needed_bytes)))
  if (isMade) return
  // Without a bitmap everything works, but clones take longer. The next push brings the next attempt.
  git.onNoBitmap({ repository: repository.path, needed_bytes })
  if (needsPacking) await run([...repack, '--no-write-bitmap-index'])
}

/** False when git was ended for the memory it held. Throws whatever else goes wrong. */
async function succeeds(run: () => Promise<unknown>): Promise<boolean> {
  try {
    await run()
    return true
  } catch (error) {
    if (error instanceof GitError && error.kind === 'out-of-memory') return false
    throw error
  }
}

/**
 * Returns the number of commits reachable from HEAD (0 for an empty repository) and the size of all objects on disk, in
 * bytes.
 */
export async function measureRepository(
  git: Git,
  repository: Repository,
): Promise<{ commit_count: number; repository_size: number }> {
  const output = await runGit(git, repository, {
    args: ['rev-list', '--count', '--ignore-missing', 'HEAD', '--'],
    timeout_ms: maintenance_timeout_ms,
  }).catch(() => Buffer.from('0'))
  return {
    commit_count: Number(output.toString('latin1').trim()) || 0,
    repository_size: (await countFiles(repository)).bytes,
  }
}

type Counts = {
  looseObjects: number
  packs: number
  hasBitmap: boolean
  looseRefs: number
  bytes: number
}

async function countFiles(repository: Repository): Promise<Counts> {
  const counts: Counts = { looseObjects: 0, packs: 0, hasBitmap: false, looseRefs: 0, bytes: 0 }
  const walk = async (folder: string, visit: (name: string) => void): Promise<void> => {
    const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
    for (const entry of entries) {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) await walk(path, visit)
      else {
        visit(path)
        counts.bytes += (await stat(path).catch(() => undefined))?.size ?? 0
      }
    }
  }
  await walk(join(repository.path, 'objects'), (path) => {
    if (/\/[0-9a-f]{2}\/[0-9a-f]{38}$/.test(path)) counts.looseObjects++
    else if (path.endsWith('.pack')) counts.packs++
    else if (path.endsWith('.bitmap')) counts.hasBitmap = true
  })
  const { bytes } = counts
  await walk(join(repository.path, 'refs'), () => {
    counts.looseRefs++
  })
  return { ...counts, bytes }
}
