// Archives of a commit's files, streamed as git makes them.
import { Readable } from 'node:stream'
import { limits } from '../kernel/limits.ts'
import { Semaphore } from '../kernel/semaphore.ts'
import { compressBzip2 } from './bzip2-stream.ts'
import { type Git, type GitProcess, openGit } from './command.ts'
import { GitError } from './errors.ts'
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

/** Compressing is the dearest thing git does, so few do it at once and not many more wait. */
const running_max = 4
const waiting_max = 64

export class Archives {
  readonly #git: Git
  readonly #turns = new Semaphore(running_max)
  #waiting = 0

  constructor(git: Git) {
    this.#git = git
  }

  /**
   * The archive; the same bytes for the same request. It fails midway, rather than end early, when git
   * does. Fails with GitError `locked` when too many wait already.
   */
  async open(repository: Repository, request: ArchiveRequest): Promise<Readable> {
    if (this.#waiting >= waiting_max) {
      throw new GitError('locked', 'Too many archives are being made already.')
    }
    this.#waiting++
    const release = await this.#turns.acquire().finally(() => this.#waiting--)
    try {
      return stream(await this.#start(repository, request), request.format, release)
    } catch (error) {
      release()
      throw error
    }
  }

  #start(repository: Repository, request: ArchiveRequest): Promise<GitProcess> {
    const { commit, folder, path, signal } = request
    const format = request.format === 'tar.bz2' ? 'tar' : request.format
    const where = path === undefined ? [] : ['--', path]
    return openGit(this.#git, repository, {
      args: ['archive', `--format=${format}`, `--prefix=${folder}/`, commit, ...where],
      timeout_ms: limits.archive_timeout_ms,
      signal,
    })
  }
}

function stream(
  { io, exit, kill }: GitProcess,
  format: ArchiveFormat,
  release: () => void,
): Readable {
  io.end()
  async function* read(): AsyncGenerator<Buffer> {
    yield* io
    // The socket ends as quietly when git died as when it was done.
    await exit
  }
  const bytes = format === 'tar.bz2' ? compressBzip2(read()) : read()
  const archive = Readable.from(bytes, { objectMode: false })
  archive.once('close', () => {
    kill()
    io.destroy()
    release()
  })
  return archive
}
