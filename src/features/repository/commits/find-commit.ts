import { Type } from 'typebox'
import type { GitAccess } from '../../../git/git.ts'
import type { Commit } from '../../../git/objects.ts'
import { resolveCommit } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'
import { notFound } from '../../../kernel/errors.ts'

export const commitShaInput = {
  sha: Type.String({ description: 'Full or short hash, or URL-encoded name of a branch or tag.' }),
}

/** Returns the commit that `:sha` of a path resolves to. Throws 404 `Commit` if there is none. */
export async function getCommit(
  git: GitAccess,
  repository: Repository,
  sha: string,
): Promise<Commit> {
  const oid = await resolveCommit(git.objects, repository, sha)
  const commit = oid && (await git.objects.commit(repository, oid))
  if (!commit) throw notFound('Commit')
  return commit
}
