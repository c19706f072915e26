import type { Git } from './command.ts'
import { type Oid, parseGitOid } from './names.ts'
import { readGitRecords } from './records.ts'
import type { Repository } from './repository.ts'

/** A regular file of a commit; `size` in bytes. */
export type ListedFile = { path: string; oid: Oid; size: number; isExecutable: boolean }

/**
 * Returns all regular files of a commit with their sizes, without links and submodules; undefined if there are more than
 * `files_max`. Runs one process.
 */
export async function listRegularFiles(
  git: Git,
  repository: Repository,
  { commit, files_max }: { commit: Oid; files_max: number },
): Promise<ListedFile[] | undefined> {
  const files: ListedFile[] = []
  for await (const piece of readFiles(git, repository, commit)) {
    for (const file of piece) files.push(file)
    if (files.length > files_max) return undefined
  }
  return files
}

/**
 * Returns the first `files_max` regular files of a commit whose paths are wanted, after looking at `looks_max` files at
 * most. Runs one process, which ends as soon as they are found.
 */
export async function listMatchingRegularFiles(
  git: Git,
  repository: Repository,
  wanted: {
    commit: Oid
    isWanted: (path: string) => boolean
    files_max: number
    looks_max: number
  },
): Promise<ListedFile[]> {
  const found: ListedFile[] = []
  let looks = 0
  for await (const piece of readFiles(git, repository, wanted.commit)) {
    found.push(...piece.filter(({ path }) => wanted.isWanted(path)))
    looks += piece.length
    if (found.length >= wanted.files_max || looks >= wanted.looks_max) break
  }
  return found.slice(0, wanted.files_max)
}

async function* readFiles(
  git: Git,
  repository: Repository,
  commit: Oid,
): AsyncGenerator<ListedFile[]> {
  const pieces = readGitRecords(git, repository, {
    args: ['ls-tree', '-r', '-l', '-z', '--full-tree', commit],
    mark: 0,
  })
  for await (const lines of pieces) {
    yield lines.flatMap((line) => {
      const tab = line.indexOf('\t')
      const [mode = '', type, oid = '', size] = line.slice(0, tab).split(/ +/)
      if (type !== 'blob' || !mode.startsWith('100')) return []
      const path = line.slice(tab + 1)
      return [{ path, oid: parseGitOid(oid), size: Number(size), isExecutable: mode === '100755' }]
    })
  }
}
