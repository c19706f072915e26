import { limits } from '../kernel/limits.ts'
import { type Git, runGit } from './command.ts'
import type { Oid } from './names.ts'
import { type Repository, requireWritable } from './repository.ts'

/**
 * Copies a commit of another repository on this machine, with everything reachable from it, into `repository`, without
 * creating a reference. Copies only what is missing. Safe to repeat.
 */
export async function copyCommitFrom(
  git: Git,
  { from, repository, oid }: { from: Repository; repository: Repository; oid: Oid },
): Promise<void> {
  if (from.path === repository.path) return
  requireWritable(repository)
  await runGit(git, repository, {
    args: [
      'fetch',
      '--quiet',
      '--no-tags',
      '--no-write-fetch-head',
      '--end-of-options',
      from.path,
      oid,
    ],
    timeout_ms: limits.git_transfer_idle_ms,
  })
}
