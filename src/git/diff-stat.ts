import { limits } from '../kernel/limits.ts'
import type { Git } from './command.ts'
import { GitResultCache, isLimitExceeded } from './git-result-cache.ts'
import type { Oid } from './names.ts'
import type { Commit } from './objects.ts'
import { readGitRecords } from './records.ts'
import type { Repository } from './repository.ts'

export type DiffStat = { additions: number; deletions: number; total: number }

const kept_max = 50_000
/** The maximum number of processes for one call; each of them is stopped by a commit that is too large. */
const attempts_max = 4

/** Reads the numbers of added and deleted lines of commits compared with their first parents, as `--numstat` counts them. */
export class DiffStatReader {
  readonly #git: Git
  readonly #kept = new GitResultCache<DiffStat>(kept_max, () => 1)

  constructor(git: Git) {
    this.#git = git
  }

  /**
   * The figures by object name; one process for all that are not kept. A commit that changes more than git
   * can count within its bounds has zeros, and is not counted again.
   */
  async of(repository: Repository, commits: readonly Commit[]): Promise<Map<Oid, DiffStat>> {
    const keyOf = ({ oid }: Commit) => repository.path + oid
    const isUnknown = (commit: Commit) => this.#kept.peek(keyOf(commit)) === undefined
    const found = new Map<Oid, DiffStat>()
    let unknown = commits.filter(isUnknown)
    for (let attempt = 0; unknown.length > 0 && attempt < attempts_max; attempt++) {
      const { counted, isStuck } = await this.#count(repository, unknown)
      if (isStuck) counted.push({ additions: 0, deletions: 0 })
      for (const [at, { additions, deletions }] of counted.entries()) {
        const stat = { additions, deletions, total: additions + deletions }
        const commit = unknown[at] as Commit
        this.#kept.keep(keyOf(commit), stat)
        found.set(commit.oid, stat)
      }
      unknown = unknown.slice(counted.length)
    }
    for (const commit of commits) {
      const stat = found.get(commit.oid) ?? this.#kept.peek(keyOf(commit))
      found.set(commit.oid, stat ?? { additions: 0, deletions: 0, total: 0 })
    }
    return found
  }

  /** Keeps what is known of a commit that was just made. */
  record(repository: Repository, oid: Oid, stat: DiffStat): void {
    this.#kept.keep(repository.path + oid, stat)
  }

  /** As many of the commits as git gets through, and whether the next one is what it cannot. */
  async #count(
    repository: Repository,
    commits: readonly Commit[],
  ): Promise<{ counted: Counted[]; isStuck: boolean }> {
    // A line of two names compares the first with the second alone; of one name, with nothing. git repeats
    // a line that names nothing, and then everything before it has been printed.
    const lines = commits.map(({ oid, parents: [parent] }) =>
      parent ? `${oid} ${parent}\n.\n` : `${oid}\n.\n`,
    )
    const counter = new NumstatCounter()
    try {
      const pieces = readGitRecords(this.#git, repository, {
        args: ['diff-tree', '--stdin', '--root', '-r', '--numstat', '-z', '-M'],
        stdin: lines.join(''),
        mark: 0,
        encoding: 'latin1',
        timeout_ms: limits.diff_timeout_ms,
      })
      for await (const records of pieces) for (const record of records) counter.add(record)
    } catch (error) {
      if (!isLimitExceeded(error)) throw error
      // The time may have been used by other commits; a commit that had all of it takes too long.
      const isStuck = error.kind === 'too-large' || counter.counted.length === 0
      return { counted: counter.counted, isStuck }
    }
    return { counted: counter.counted, isStuck: false }
  }
}

type Counted = { additions: number; deletions: number }

/**
 * git-diff-tree(1) with `--stdin --numstat -z`: a commit's name, then `added TAB deleted TAB path` for
 * each file, all ended by NUL, then our own line. A binary file has dashes, a rename an empty path and two
 * more texts.
 */
class NumstatCounter {
  readonly counted: Counted[] = []
  #sum: Counted = { additions: 0, deletions: 0 }
  #paths = 0

  add(text: string): void {
    if (this.#paths > 0) {
      this.#paths--
      return
    }
    let record = text
    while (record.startsWith('.\n')) {
      record = record.slice(2)
      this.counted.push(this.#sum)
      this.#sum = { additions: 0, deletions: 0 }
    }
    const match = /^(\d+|-)\t(\d+|-)\t/.exec(record)
    if (!match) return
    this.#sum.additions += Number(match[1]) || 0
    this.#sum.deletions += Number(match[2]) || 0
    if (match[0].length === record.length) this.#paths = 2
  }
}
