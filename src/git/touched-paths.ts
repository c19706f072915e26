import { type Git, runGit } from './command.ts'
import type { Oid } from './names.ts'
import type { Quarantine } from './quarantine.ts'
import type { Repository } from './repository.ts'

const look_ms_max = 30 * 60_000
/** Callers need one reason only, and merges may be listed without a path. */
const commits_max = 1000

/**
 * Returns those of the paths that are changed by new commits: commits that are reachable from the tips and not yet from any
 * reference.
 */
export async function listTouchedPaths(
  git: Git,
  repository: Repository,
  request: {
    quarantine: Quarantine | undefined
    tips: readonly Oid[]
    paths: readonly string[]
  },
): Promise<string[]> {
  const { quarantine, tips, paths } = request
  // Each line is a path, so paths with line breaks cannot be checked.
  const asked = paths.filter((path) => !path.includes('\n'))
  if (tips.length === 0 || asked.length === 0) return []
  const output = await runGit(git, repository, {
    args: [
      ...['log', '--format=', '--name-only', '-z', '-c', '--no-renames'],
      ...[`--max-count=${commits_max}`, '--stdin', '--not', '--all'],
    ],
    env: quarantine?.env,
    stdin: `${[...tips, '--', ...asked].join('\n')}\n`,
    timeout_ms: look_ms_max,
  })
  const wanted = new Set(asked)
  const names = output.toString('utf8').split('\0')
  return [...new Set(names.map((name) => name.trimStart()))].filter((name) => wanted.has(name))
}
