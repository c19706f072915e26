// Pushes to a repository on a foreign server. Only HTTP is used, redirects are not followed, and the connection goes to
// the address that was checked before.
import { isIP } from 'node:net'
import { splitIntoArgumentBatches } from './argument-batches.ts'
import { type Git, gitConfigEnvironment, runGit } from './command.ts'
import { GitError } from './errors.ts'
import { httpOnlySettings } from './http-only-settings.ts'
import type { Repository } from './repository.ts'

export type MirrorPush = {
  /** `http` or `https`, without a name or password. */
  url: URL
  /** The address the host is known to have. */
  address: string
  /** Sent as Basic: never on a command line, and in no message of git. */
  credentials: string | undefined
  /** What goes where; each of our own making. */
  refspecs: readonly string[]
  /** Whether what is not here goes there too. */
  prunes: boolean
  /** For all of it. */
  timeout_ms: number
}

/**
 * Pushes, in as many commands as the refspecs take. Throws GitError when the push fails or is refused, even in part;
 * with `prunes` the refspecs must fit into one command, since git removes whatever they do not name.
 */
export async function pushMirror(
  git: Git,
  repository: Repository,
  { url, address, credentials, refspecs, prunes, timeout_ms }: MirrorPush,
): Promise<void> {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const shown = address.includes(':') ? `[${address}]` : address
  const basic = credentials && Buffer.from(credentials).toString('base64')
  const env = gitConfigEnvironment([
    ...httpOnlySettings,
    // A host that is an IP address is not looked up.
    ...(isIP(hostname) === 0
      ? [['http.curloptResolve', `${hostname}:${port}:${shown}`] as [string, string]]
      : []),
    ['http.lowSpeedLimit', '1000'],
    ['http.lowSpeedTime', '60'],
    ['push.recurseSubmodules', 'no'],
    ...(basic ? [['http.extraHeader', `Authorization: Basic ${basic}`] as [string, string]] : []),
  ])
  const flags = ['--quiet', '--no-verify', ...(prunes ? ['--prune'] : [])]
  const late = AbortSignal.timeout(timeout_ms)
  let failure: GitError | undefined
  for (const batch of splitIntoArgumentBatches(refspecs)) {
    const args = ['push', ...flags, '--', url.href, ...batch]
    try {
      await runGit(git, repository, { args, env, timeout_ms, signal: late })
    } catch (error) {
      if (!(error instanceof GitError)) throw error
      if (late.aborted) throw new GitError('timeout', 'git push took too long.', error.stderr)
      // A refusal of one batch does not affect the next one.
      failure ??= error
    }
  }
  if (failure) throw failure
}
