// Who wrote the commits of a history, counted once for each tip.
import { type Git, openGit } from './command.ts'
import { KeptAnswers } from './kept-answers.ts'
import type { Oid } from './names.ts'
import { readRecords } from './records.ts'
import type { Repository } from './repository.ts'

/** `name` is that of the newest commit with the address. */
export type Contributor = { name: string; email: string; commits: number }

const kept_contributors_max = 200_000
const count_timeout_ms = 10 * 60_000

export class Contributors {
  readonly #git: Git
  readonly #kept = new KeptAnswers<Contributor[]>(
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
    const { io, exit } = await openGit(this.#git, repository, {
      args: ['log', '--format=%ae%x00%an', '--no-mailmap', tip, '--'],
      timeout_ms: count_timeout_ms,
    })
    io.end()
    const found = new Map<string, Contributor>()
    for await (const lines of readRecords(io.setEncoding('utf8'), '\n')) {
      for (const line of lines) {
        const nul = line.indexOf('\0')
        const email = line.slice(0, nul)
        const known = found.get(email)
        if (known) known.commits++
        else found.set(email, { name: line.slice(nul + 1), email, commits: 1 })
      }
    }
    await exit
    return [...found.values()]
  }
}
