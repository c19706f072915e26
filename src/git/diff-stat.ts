import { type Git, runGit } from './command.ts'
import { KeptAnswers } from './kept-answers.ts'
import { asOid, type Oid } from './names.ts'
import type { Commit } from './objects.ts'
import type { Repository } from './repository.ts'

export type DiffStat = { additions: number; deletions: number; total: number }

const kept_max = 50_000

/** Added and deleted lines of commits against their first parents, as `--numstat` counts them. */
export class DiffStats {
  readonly #git: Git
  readonly #kept = new KeptAnswers<DiffStat>(kept_max, () => 1)

  constructor(git: Git) {
    this.#git = git
  }

  /** The figures by object name; one process for all that are not kept. */
  async of(repository: Repository, commits: readonly Commit[]): Promise<Map<Oid, DiffStat>> {
    const stats = new Map<Oid, DiffStat>()
    const unknown: Commit[] = []
    for (const commit of commits) {
      const kept = this.#kept.peek(repository.path + commit.oid)
      if (kept) stats.set(commit.oid, kept)
      else unknown.push(commit)
    }
    if (unknown.length === 0) return stats
    // A line of two names compares the first with the second alone; of one name, with nothing.
    const lines = unknown.map(({ oid, parents: [parent] }) => (parent ? `${oid} ${parent}` : oid))
    const output = await runGit(this.#git, repository, {
      args: ['diff-tree', '--stdin', '--root', '-r', '--numstat', '-z', '-M'],
      stdin: `${lines.join('\n')}\n`,
    })
    const found = parseNumstat(output.toString('latin1'))
    for (const { oid } of unknown) {
      const { additions, deletions } = found.get(oid) ?? { additions: 0, deletions: 0 }
      const stat = { additions, deletions, total: additions + deletions }
      this.#kept.keep(repository.path + oid, stat)
      stats.set(oid, stat)
    }
    return stats
  }
}

/**
 * git-diff-tree(1) with `--stdin --numstat -z`: a commit's name, then `added TAB deleted TAB path` for
 * each file, all ended by NUL. A binary file has dashes, a rename an empty path and two more texts.
 */
function parseNumstat(output: string): Map<string, { additions: number; deletions: number }> {
  const found = new Map<string, { additions: number; deletions: number }>()
  const records = output.split('\0')
  let sum = { additions: 0, deletions: 0 }
  for (let at = 0; at < records.length; at++) {
    const record = records[at] ?? ''
    const match = /^(\d+|-)\t(\d+|-)\t(.*)$/s.exec(record)
    if (!match) {
      const oid = asOid(record)
      if (!oid) continue
      sum = { additions: 0, deletions: 0 }
      found.set(oid, sum)
      continue
    }
    sum.additions += Number(match[1]) || 0
    sum.deletions += Number(match[2]) || 0
    if (match[3] === '') at += 2
  }
  return found
}
