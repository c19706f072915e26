import { type Git, runGit } from './command.ts'
import { GitResultCache } from './git-result-cache.ts'
import { asOid, type Oid } from './names.ts'
import type { Repository } from './repository.ts'

const kept_max = 50_000

/** Finds best common ancestors. Results are cached, since they never change. */
export class MergeBaseReader {
  readonly #git: Git
  readonly #kept = new GitResultCache<{ oid: Oid | undefined }>(kept_max, () => 1)

  constructor(git: Git) {
    this.#git = git
  }

  /** As `git merge-base` of these commits in this order; undefined where they have nothing in common. */
  async of(repository: Repository, commits: readonly Oid[]): Promise<Oid | undefined> {
    const [first] = commits
    if (commits.every((oid) => oid === first)) return first
    const answer = await this.#kept.get(`${repository.path}\0${commits.join(' ')}`, async () => {
      const output = await runGit(this.#git, repository, {
        args: ['merge-base', ...commits],
        otherStatus: 1,
      })
      return { oid: asOid(output.toString('latin1').trim()) }
    })
    return answer.oid
  }
}
