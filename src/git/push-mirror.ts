// Pushes to a server of somebody else. Only HTTP is spoken, no redirect is followed, and the host is connected to
// at the one address that was looked at before.
import { isIP } from 'node:net'
import { type Git, runGit, withSettings } from './command.ts'
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
  timeout_ms: number
  signal?: AbortSignal
}

/** Throws GitError when the push fails or is refused, even in part. */
export async function pushMirror(
  git: Git,
  repository: Repository,
  { url, address, credentials, refspecs, prunes, timeout_ms, signal }: MirrorPush,
): Promise<void> {
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  const hostname = url.hostname.replace(/^\[(.*)\]$/, '$1')
  const shown = address.includes(':') ? `[${address}]` : address
  const basic = credentials && Buffer.from(credentials).toString('base64')
  const env = withSettings([
    ['protocol.allow', 'never'],
    ['protocol.http.allow', 'always'],
    ['protocol.https.allow', 'always'],
    ['http.followRedirects', 'false'],
    ['http.proxy', ''],
    // A host that is an address itself needs no looking up.
    ...(isIP(hostname) === 0
      ? [['http.curloptResolve', `${hostname}:${port}:${shown}`] as [string, string]]
      : []),
    ['http.lowSpeedLimit', '1000'],
    ['http.lowSpeedTime', '60'],
    ['credential.helper', ''],
    ['push.recurseSubmodules', 'no'],
    ...(basic ? [['http.extraHeader', `Authorization: Basic ${basic}`] as [string, string]] : []),
  ])
  const flags = ['--quiet', '--no-verify', ...(prunes ? ['--prune'] : [])]
  await runGit(git, repository, {
    args: ['push', ...flags, '--', url.href, ...refspecs],
    env,
    timeout_ms,
    signal,
  })
}
