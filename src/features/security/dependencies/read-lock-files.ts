// Reads the dependencies of a project from the lock files of a commit, if its pipelines have no reports
// (docs/api/dependencies.md, "Lock files").
import { type ListedFile, listMatchingRegularFiles } from '../../../git/files.ts'
import type { GitAccess } from '../../../git/git.ts'
import type { Oid } from '../../../git/names.ts'
import type { Repository } from '../../../git/repository.ts'
import { limits } from '../../../kernel/limits.ts'
import { slicesWithYields } from '../../../kernel/with-yields.ts'
import { isLockFile, readLockFile } from '../lock-files/lock-file.ts'
import { DependencyCollection, type FoundDependency } from './dependency-collection.ts'

/** Reads the lock files of a commit. Files beyond the limits are skipped. */
export async function readLockFiles(
  git: GitAccess,
  repository: Repository,
  commit: Oid,
): Promise<readonly FoundDependency[]> {
  const { files_max, listed_files_max: looks_max, file_bytes_max } = limits.dependencies
  const wanted = { commit, isWanted: isLockFile, files_max, looks_max }
  const files = await listMatchingRegularFiles(git.git, repository, wanted)
  const found = new DependencyCollection()
  for (const { path, oid } of withinLimits(files)) {
    const content = await git.objects.wholeBlob(repository, oid, file_bytes_max)
    if (!content) continue
    for await (const some of slicesWithYields(await readLockFile(path, content))) {
      for (const one of some) found.add({ ...one, dependency_file_path: path })
    }
  }
  return found.sorted()
}

/** Returns the files that are small enough, up to the total size that may be read. */
function withinLimits(files: readonly ListedFile[]): ListedFile[] {
  const { file_bytes_max, files_bytes_max } = limits.dependencies
  let bytes = 0
  return files.filter(({ size }) => {
    if (size > file_bytes_max || bytes + size > files_bytes_max) return false
    bytes += size
    return true
  })
}
