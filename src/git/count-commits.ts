import { type Git, runGit } from './command.ts'
import type { Oid } from './names.ts'
import type { Repository } from './repository.ts'

const time_ms_max = 30_000

/** Returns the number of commits that are reachable from `tip` and not from `hidden`. */
export async function countCommits(
  git: Git,
  repository: Repository,
  { tip, hidden }: { tip: Oid; hidden: readonly Oid[] },
): Promise<number> {
  const output = await runGit(git, repository, {
    args: ['rev-list', '--count', '--stdin'],
    stdin: `${[tip, ...hidden.map((oid) => `^${oid}`)].join('\n')}\n`,
    timeout_ms: time_ms_max,
  })
  return Number(output.toString('latin1').trim())
}
