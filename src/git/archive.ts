// Archives of a commit's files, streamed as git makes them.
import type { Readable } from 'node:stream'
import { limits } from '../kernel/limits.ts'
import { compressBzip2 } from './bzip2-stream.ts'
import { type Git, type GitProcess, openGit } from './command.ts'
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

export class Archives {
  readonly #git: Git
  constructor(git: Git) {
    this.#git = git
  }

  /** The archive; the same bytes for the same request. It fails midway, rather than end early, when git does. */
  async open(repository: Repository, request: ArchiveRequest): Promise<Readable> {
    const { commit, folder, path, signal } = request
    const format = request.format === 'tar.bz2' ? 'tar' : request.format
    const where = path === undefined ? [] : ['--', path]
    const made = await openGit(this.#git, repository, {
      args: ['archive', `--format=${format}`, `--prefix=${folder}/`, commit, ...where],
      timeout_ms: limits.git_transfer_ms,
      signal,
    })
    return stream(made, request.format)
  }
}

function stream({ io, exit, kill }: GitProcess, format: ArchiveFormat): Readable {
  io.end()
  async function* read(): AsyncGenerator<Buffer> {
    yield* io
    // The socket ends as quietly when git died as when it was done.
    await exit
  }
  const bytes = format === 'tar.bz2' ? compressBzip2(read()) : read()
  const archive = enforceReadRate(bytes, limits.least_rate)
  archive.once('close', () => {
    kill()
    io.destroy()
  })
  return archive
}
