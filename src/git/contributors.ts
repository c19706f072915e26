// The authors of a history, counted once for each tip.
import type { Git } from './command.ts'
import { GitError } from './errors.ts'
import { GitResultCache } from './git-result-cache.ts'
import type { Oid } from './names.ts'
import { readGitRecords } from './records.ts'
import type { Repository } from './repository.ts'

/** `name` is the name in the newest commit with the email address. */
export type Contributor = { name: string; email: string; commits: number }

const kept_contributors_max = 200_000
const count_timeout_ms = 2 * 60_000
/** Enough for about twenty million commits. */
const printed_bytes_max = 1024 ** 3
/** The bound of all authors together; large histories have some ten thousand. */
const found_bytes_max = 32 * 1024 * 1024

export class ContributorReader {
  readonly #git: Git
  readonly #kept = new GitResultCache<Contributor[]>(
    kept_contributors_max,
    (contributors) => contributors.length + 1,
  )

  constructor(git: Git) {
    this.#git = git
  }

  /** One for each address, in no order. One process, whose output is counted as it comes. */
  of(repository: Repository, tip: Oid): Promise<Contributor[]> {
    return this.#kept.get(`${repository.path}\0${tip}`, () => this.#count(repository, tip))
  }

  async #count(repository: Repository, tip: Oid): Promise<Contributor[]> {
    const pieces = readGitRecords(this.#git, repository, {
      args: ['log', '--format=%ae%x00%an', '--no-mailmap', tip, '--'],
      timeout_ms: count_timeout_ms,
      output_bytes_max: printed_bytes_max,
    })
    const found = new Map<string, Contributor>()
    let bytes = 0
    for await (const lines of pieces) {
      for (const line of lines) {
        const nul = line.indexOf('\0')
        const email = line.slice(0, nul)
        const known = found.get(email)
        if (known) known.commits++
        else {
          found.set(email, { name: line.slice(nul + 1), email, commits: 1 })
          bytes += line.length + 200
        }
      }
      if (bytes > found_bytes_max)
        throw new GitError('too-large', 'The repository has too many authors.')
    }
    return [...found.values()]
  }
}
