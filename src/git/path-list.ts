// The paths of all files of a tree, for finding files by name.
import { limits } from '../kernel/limits.ts'
import type { Git } from './command.ts'
import { GitResultCache } from './git-result-cache.ts'
import type { Oid } from './names.ts'
import { readGitRecords } from './records.ts'
import type { Repository } from './repository.ts'

/** `text` has one path a line; `isCut`: there are more paths than it contains. */
export type PathList = { text: Buffer; isCut: boolean }

const kept_bytes_max = 32 * 1024 * 1024

export class PathListReader {
  readonly #git: Git
  readonly #kept = new GitResultCache<PathList>(kept_bytes_max, ({ text }) => text.length + 1)

  constructor(git: Git) {
    this.#git = git
  }

  /**
   * The files and links below a tree in the order of git, without submodules: as many as `limits.listed_paths` let
   * there be. A path that holds a line break or begins with `"` is a JSON string. One process, none once kept.
   */
  of(repository: Repository, tree: Oid): Promise<PathList> {
    return this.#kept.get(repository.path + tree, () => this.#read(repository, tree))
  }

  async #read(repository: Repository, tree: Oid): Promise<PathList> {
    const { paths_max, bytes_max } = limits.listed_paths
    const pieces: Buffer[] = []
    let count = 0
    let bytes = 0
    const records = readGitRecords(this.#git, repository, {
      args: ['ls-tree', '-r', '-z', '--full-tree', tree],
      mark: 0,
    })
    for await (const piece of records) {
      const paths = piece.filter((record) => record.startsWith(blobMark, typeStart))
      const lines = paths.slice(0, paths_max - count).map((record) => lineOf(record))
      const text = Buffer.from(lines.join(''))
      const isCut = lines.length < paths.length || bytes + text.length > bytes_max
      if (bytes + text.length <= bytes_max) pieces.push(text)
      count += lines.length
      bytes += text.length
      if (isCut) return { text: Buffer.concat(pieces), isCut }
    }
    return { text: Buffer.concat(pieces), isCut: false }
  }
}

/** Of a record `100644 blob <id>`, a tab, and the path. */
const typeStart = 7
const blobMark = 'blob '

function lineOf(record: string): string {
  const path = record.slice(record.indexOf('\t') + 1)
  const isPlain = !path.startsWith('"') && !path.includes('\n') && !path.includes('\r')
  return `${isPlain ? path : JSON.stringify(path)}\n`
}
