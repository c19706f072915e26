import type { Git } from './command.ts'
import { type Oid, oidFrom } from './names.ts'
import { readRecords } from './records.ts'
import type { Repository } from './repository.ts'

/** A regular file of a commit; `size` in bytes. */
export type ListedFile = { path: string; oid: Oid; size: number; isExecutable: boolean }

/**
 * All regular files of a commit with their sizes, or undefined when there are more than `files_max`; one
 * process. Links and submodules are left out.
 */
export async function listFiles(
  git: Git,
  repository: Repository,
  { commit, files_max }: { commit: Oid; files_max: number },
): Promise<ListedFile[] | undefined> {
  const pieces = readRecords(git, repository, {
    args: ['ls-tree', '-r', '-l', '-z', '--full-tree', commit],
    mark: 0,
  })
  const files: ListedFile[] = []
  for await (const lines of pieces) {
    for (const line of lines) {
      const tab = line.indexOf('\t')
      const [mode = '', type, oid = '', size] = line.slice(0, tab).split(/ +/)
      if (type !== 'blob' || !mode.startsWith('100')) continue
      const path = line.slice(tab + 1)
      files.push({ path, oid: oidFrom(oid), size: Number(size), isExecutable: mode === '100755' })
    }
    if (files.length > files_max) return undefined
  }
  return files
}
