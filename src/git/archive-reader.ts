// Streams archives of a commit's files as git creates them.
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { findProgram } from '../kernel/find-program.ts'
import { limits } from '../kernel/limits.ts'
import { type Git, type GitProcess, gitConfigEnvironment, spawnGit } from './command.ts'
import { enforceReadRate } from './least-rate.ts'
import type { Oid } from './names.ts'
import type { Repository } from './repository.ts'

export type ArchiveFormat = 'tar' | 'tar.gz' | 'tar.bz2' | 'zip'

export type ArchiveRequest = {
  commit: Oid
  format: ArchiveFormat
  /** The folder everything in the archive lies in, without a slash at the end. */
  folder: string
  /** A file or folder in the commit; the archive holds that alone, under its whole path. */
  path: string | undefined
  /** Ends git, and a wait for it, when the client goes away. */
  signal: AbortSignal
}

/** Makes git compress tar.bz2 archives with the `bzip2` program (git-archive, `tar.<format>.command`). */
const bzip2Settings = gitConfigEnvironment([['tar.tar.bz2.command', 'bzip2 -c']])

export class ArchiveReader {
  readonly #git: Git
  readonly #searchPath: string

  /** `searchPath` is where programs are looked for, as in PATH. */
  constructor(git: Git, searchPath: string) {
    this.#git = git
    this.#searchPath = searchPath
  }

  /** Whether the machine has what the format needs: for tar.bz2 the program bzip2. */
  canMake(format: ArchiveFormat): boolean {
    return format !== 'tar.bz2' || findProgram('bzip2', this.#searchPath) !== undefined
  }

  /**
   * The archive, once git has begun it; the same bytes for the same request. It fails midway, rather than end early, when git
   * does.
   */
  async open(repository: Repository, request: ArchiveRequest): Promise<Readable> {
    const { commit, folder, format, path, signal } = request
    const where = path === undefined ? [] : ['--', path]
    const made = await spawnGit(this.#git, repository, {
      args: ['archive', `--format=${format}`, `--prefix=${folder}/`, commit, ...where],
      env: format === 'tar.bz2' ? bzip2Settings : {},
      timeout_ms: limits.git_transfer_ms,
      signal,
    })
    const archive = stream(made)
    await once(archive, 'readable')
    return archive
  }
}

function stream({ io, exit, kill }: GitProcess): Readable {
  io.end()
  async function* read(): AsyncGenerator<Buffer> {
    yield* io
    // The socket also ends normally when git died, so the exit status is checked.
    await exit
  }
  const archive = enforceReadRate(read(), limits.least_rate)
  archive.once('close', () => {
    kill()
    io.destroy()
  })
  return archive
}
