import { limits } from '../kernel/limits.ts'
import type { Git } from './command.ts'
import { GitError } from './errors.ts'
import { GitResultCache } from './git-result-cache.ts'
import { type Oid, parseGitOid } from './names.ts'
import { readGitRecords } from './records.ts'
import type { Repository } from './repository.ts'

/** Adjacent lines that were last changed by the same commit, without their line ends. */
export type BlameRange = { commit: Oid; lines: string[] }

const kept_bytes_max = 16 * 1024 * 1024

/** Reads blames of whole files. They are cached by the commit that last changed the file, since they never change. */
export class BlameReader {
  readonly #git: Git
  readonly #kept = new GitResultCache<BlameRange[]>(kept_bytes_max, (ranges) =>
    ranges.reduce(
      (sum, { lines }) => lines.reduce((size, line) => size + line.length * 2 + 16, sum),
      100,
    ),
  )

  constructor(git: Git) {
    this.#git = git
  }

  /** Blames `path` as of `commit`, which should be the commit that last touched it. */
  blame(repository: Repository, commit: Oid, path: string): Promise<BlameRange[]> {
    const key = `${repository.path}\0${commit}\0${path}`
    return this.#kept.get(key, () => this.#read(repository, [commit, '--', path]))
  }

  /**
   * Blames some lines of `path` alone, which in a large file takes git a small part of the time. Lines past the end of
   * the file are left out.
   */
  blameLines(
    repository: Repository,
    commit: Oid,
    path: string,
    { start, end }: { start: number; end: number },
  ): Promise<BlameRange[]> {
    const key = `${repository.path}\0${commit}\0${start},${end}\0${path}`
    return this.#kept.get(key, () =>
      this.#read(repository, ['-L', `${start},${end}`, commit, '--', path]).catch((error) => {
        if (error instanceof GitError && pastTheEnd.test(error.stderr)) return []
        throw error
      }),
    )
  }

  #read(repository: Repository, what: readonly string[]): Promise<BlameRange[]> {
    const pieces = readGitRecords(this.#git, repository, {
      args: ['blame', '--porcelain', ...what],
      record_bytes_max: limits.inline_blob_bytes,
      timeout_ms: limits.blame_ms,
    })
    return readBlame(pieces)
  }
}

/** The error of git-blame(1) for a first line beyond the end of the file. */
const pastTheEnd = /^fatal: file .* has only \d+ lines?$/m

/** Parses the porcelain format of git-blame(1): header lines for each line of the file, then the line itself after a tab. */
export async function readBlame(pieces: AsyncIterable<string[]>): Promise<BlameRange[]> {
  const ranges: BlameRange[] = []
  let commit = ''
  for await (const records of pieces) {
    for (const record of records) {
      if (record.startsWith('\t')) {
        const line = record.slice(1).replace(/\r$/, '')
        const last = ranges.at(-1)
        if (last && last.commit === commit) last.lines.push(line)
        else ranges.push({ commit: parseGitOid(commit), lines: [line] })
      } else if (/^[0-9a-f]{40} /.test(record)) commit = record.slice(0, 40)
    }
  }
  return ranges
}
