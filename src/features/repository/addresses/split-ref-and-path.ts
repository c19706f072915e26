// Finds where the reference ends in an address and the path begins.
import type { GitAccess } from '../../../git/git.ts'
import type { Oid } from '../../../git/names.ts'
import { resolveCommit } from '../../../git/refs.ts'
import type { Repository } from '../../../git/repository.ts'

/** The maximum number of parts of a reference. Each part costs another lookup. */
const reference_parts_max = 20

/**
 * Splits `REF/PATH`. A reference may contain slashes; the longest existing one is used. Returns undefined if there is none.
 * At least `path_parts_min` parts are left for the path.
 */
export async function splitRefAndPath(
  git: GitAccess,
  repository: Repository,
  { parts, path_parts_min }: { parts: readonly string[]; path_parts_min: number },
): Promise<{ ref: string; commit: Oid; path: string } | undefined> {
  const longest = Math.min(parts.length - path_parts_min, reference_parts_max)
  for (let count = longest; count > 0; count--) {
    const ref = parts.slice(0, count).join('/')
    const commit = await resolveCommit(git.objects, repository, ref)
    if (commit) return { ref, commit, path: parts.slice(count).join('/') }
  }
  return undefined
}
