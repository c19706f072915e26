import type { Readable } from 'node:stream'
import { limits } from '../kernel/limits.ts'
import { type Git, spawnGit } from './command.ts'
import { enforceReadRate } from './least-rate.ts'
import { emptyTreeOid, type Oid } from './names.ts'
import type { Repository } from './repository.ts'

/** Starts a diff between two commits and returns its output as a stream. Without `from` everything counts as added. */
export async function openRawDiff(
  git: Git,
  repository: Repository,
  { from = emptyTreeOid, to }: { from: Oid | undefined; to: Oid },
): Promise<Readable> {
  const { io } = await spawnGit(git, repository, {
    args: [
      'diff-tree',
      '-r',
      '-M',
      '--patch',
      '--full-index',
      '--no-ext-diff',
      '--no-textconv',
      from,
      to,
    ],
    timeout_ms: limits.diff_timeout_ms,
  })
  io.end()
  return enforceReadRate(io, limits.least_rate)
}
