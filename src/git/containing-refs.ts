import type { Git } from './command.ts'
import { GitResultCache } from './git-result-cache.ts'
import type { Oid } from './names.ts'
import { readGitRecords } from './records.ts'
import { listRefs } from './refs.ts'
import type { Repository } from './repository.ts'

/** Short names of branches and tags, each sorted by name. */
export type ContainingRefNames = { branches: string[]; tags: string[] }

const branchPrefix = 'refs/heads/'
const tagPrefix = 'refs/tags/'
const kept_names_max = 1_000_000

/** Finds the references from which a commit is reachable. Results are cached until a reference moves. */
export class ContainingRefsReader {
  readonly #git: Git
  readonly #kept = new GitResultCache<ContainingRefNames>(
    kept_names_max,
    ({ branches, tags }) => branches.length + tags.length + 1,
  )

  constructor(git: Git) {
    this.#git = git
  }

  async of(repository: Repository, commit: Oid): Promise<ContainingRefNames> {
    const lists = await Promise.all([
      listRefs(repository, branchPrefix),
      listRefs(repository, tagPrefix),
    ])
    const state = await Promise.all(lists.map((refs) => refs.digest()))
    return this.#kept.get(`${repository.path}\0${commit}\0${state}`, async () => {
      const pieces = readGitRecords(this.#git, repository, {
        args: [
          'for-each-ref',
          '--format=%(refname)',
          `--contains=${commit}`,
          branchPrefix,
          tagPrefix,
        ],
      })
      const containing: ContainingRefNames = { branches: [], tags: [] }
      for await (const names of pieces) {
        for (const name of names) {
          const isBranch = name.startsWith(branchPrefix)
          if (isBranch) containing.branches.push(name.slice(branchPrefix.length))
          else containing.tags.push(name.slice(tagPrefix.length))
        }
      }
      return containing
    })
  }
}
