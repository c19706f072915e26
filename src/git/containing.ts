import { hash } from 'node:crypto'
import { type Git, runGit } from './command.ts'
import { KeptAnswers } from './kept-answers.ts'
import type { Oid } from './names.ts'
import { listRefs } from './refs.ts'
import type { Repository } from './repository.ts'

/** Branches and tags by their short names, each in name order. */
export type Containing = { branches: string[]; tags: string[] }

const branchPrefix = 'refs/heads/'
const tagPrefix = 'refs/tags/'
const kept_names_max = 200_000

/** Answers from which references a commit is reached; kept until any of them moves. */
export class ContainingRefs {
  readonly #git: Git
  readonly #kept = new KeptAnswers<Containing>(
    kept_names_max,
    ({ branches, tags }) => branches.length + tags.length + 1,
  )

  constructor(git: Git) {
    this.#git = git
  }

  async of(repository: Repository, commit: Oid): Promise<Containing> {
    const refs = [...listRefs(repository, branchPrefix), ...listRefs(repository, tagPrefix)]
    const state = hash('sha256', refs.map(({ name, oid }) => `${name} ${oid}`).join('\n'))
    return this.#kept.get(`${repository.path}\0${commit}\0${state}`, async () => {
      const output = await runGit(this.#git, repository, {
        args: [
          'for-each-ref',
          '--format=%(refname)',
          `--contains=${commit}`,
          branchPrefix,
          tagPrefix,
        ],
      })
      const names = output.toString('utf8').split('\n')
      const below = (prefix: string) =>
        names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
      return { branches: below(branchPrefix), tags: below(tagPrefix) }
    })
  }
}
