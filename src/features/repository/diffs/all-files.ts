// All files of a diff with their patches, read page by page, so that only a page is in memory.
import type { GitAccess } from '../../../git/git.ts'
import type { ChangedFile, DiffSpan, PagedDiffFile } from '../../../git/paged-diff.ts'
import type { Repository } from '../../../git/repository.ts'
import { limits } from '../../../kernel/limits.ts'

/**
 * Yields the files in the order of their paths, each with its whole patch up to
 * `limits.paged_diff.expanded_patch_bytes`. After `limits.paged_diff.all_patches_bytes_max` the other files have
 * none. A page is read when the reader asks for it: two processes of git at most.
 */
export async function* readAllFiles(
  { pagedDiffs }: Pick<GitAccess, 'pagedDiffs'>,
  repository: Repository,
  span: DiffSpan,
): AsyncGenerator<PagedDiffFile[]> {
  const { files: all } = await pagedDiffs.list(repository, span)
  let bytes = 0
  for (let offset = 0; offset < all.length; ) {
    if (bytes > limits.paged_diff.all_patches_bytes_max) {
      yield all.slice(offset).map(withoutPatch)
      return
    }
    const read = async (per_page: number) =>
      (await pagedDiffs.page(repository, span, { offset, per_page, isExpanded: true })).files
    const page = await read(countForCommand(all, offset))
    // The page had no room for this file, so the next page begins with it.
    const end = page.findIndex(({ leftOut }) => leftOut === 'no-room')
    const files = end < 0 ? page : end > 0 ? page.slice(0, end) : await read(1)
    bytes += files.reduce((sum, { patch }) => sum + patch.length, 0)
    offset += files.length
    yield files
  }
}

const files_per_command_max = 1000
const path_bytes_per_command_max = 128 * 1024

/**
 * Returns how many files, starting at `offset`, are read by one git command, since their paths are its
 * arguments; at least 1.
 */
function countForCommand(files: readonly ChangedFile[], offset: number): number {
  let bytes = 0
  let end = offset
  for (; end < files.length && end - offset < files_per_command_max; end++) {
    const { oldPath, newPath } = files[end] as ChangedFile
    bytes += Buffer.byteLength(oldPath) + Buffer.byteLength(newPath)
    if (bytes > path_bytes_per_command_max) break
  }
  return Math.max(end - offset, 1)
}

function withoutPatch(file: Omit<PagedDiffFile, 'patch'>): PagedDiffFile {
  return file.hasPatch ? { ...file, patch: '', leftOut: 'no-room' } : { ...file, patch: '' }
}
