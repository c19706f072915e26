// Streams whole diffs and patches of commits as git creates them, for tools that download and apply them.
import type { Readable } from 'node:stream'
import { limits } from '../kernel/limits.ts'
import { type Git, spawnGit } from './command.ts'
import { enforceReadRate } from './least-rate.ts'
import { emptyTreeOid, type Oid } from './names.ts'
import type { Repository } from './repository.ts'

/** `diff`: one diff over all commits of the span; `patch`: an email for each commit, as `git am` takes them. */
export type PatchFormat = 'diff' | 'patch'

/** The commits after `from` up to `to`; without `from` all of them. */
export type CommitSpan = { from: Oid | undefined; to: Oid }

const flags = ['--binary', '--full-index', '-M', '--no-color', '--no-ext-diff', '--no-textconv']

/** Opens the diff or patch of a span. If git fails, the stream fails too, rather than end early. */
export async function openPatchStream(
  git: Git,
  repository: Repository,
  { from, to, format, signal }: CommitSpan & { format: PatchFormat; signal: AbortSignal },
): Promise<Readable> {
  const args =
    format === 'diff'
      ? ['diff', ...flags, from ?? emptyTreeOid, to, '--']
      : [
          'format-patch',
          '--stdout',
          ...flags,
          ...(from ? [`${from}..${to}`] : ['--root', to]),
          '--',
        ]
  const { io, exit, kill } = await spawnGit(git, repository, {
    args,
    timeout_ms: limits.git_transfer_ms,
    signal,
  })
  io.end()
  async function* read(): AsyncGenerator<Buffer> {
    yield* io
    // The socket also ends normally when git died, so the exit status is checked.
    await exit
  }
  const stream = enforceReadRate(read(), limits.least_rate)
  stream.once('close', () => {
    kill()
    io.destroy()
  })
  return stream
}
