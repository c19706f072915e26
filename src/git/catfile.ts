// Long-running `git cat-file --batch-command` processes: reading an object costs tens of microseconds instead of a
// process. A protocol error stops the process; the next read starts another.
import type { Socket } from 'node:net'
import { markWorkResumed } from '../kernel/work-attribution.ts'
import { type Git, type GitProcess, spawnGit } from './command.ts'
import { GitError } from './errors.ts'
import { type Oid, parseGitOid } from './names.ts'
import type { Repository } from './repository.ts'

export type ObjectType = 'commit' | 'tree' | 'blob' | 'tag'
export type ObjectInfo = { oid: Oid; type: ObjectType; size: number }
export type GitObject = ObjectInfo & { content: Buffer }

type Request = {
  wantsContent: boolean
  resolve: (object: ObjectInfo | GitObject | undefined) => void
  reject: (error: Error) => void
}

const header = /^([0-9a-f]+) (commit|tree|blob|tag) (\d+)$/
const header_bytes_max = 8192
/** Longer ones name nothing; in UTF-8 they still fit into a header. */
const name_characters_max = 2000

class CatFile {
  readonly #process: GitProcess
  readonly #io: Socket
  readonly #requests: Request[] = []
  #chunks: Buffer[] = []
  #buffered_bytes = 0
  #current: ObjectInfo | undefined
  #failure: Error | undefined
  readonly #onIdle: () => void
  /** Whoever had it started has not asked yet, so it counts as busy until then. */
  #isAwaited = true
  lastUsed_ms = 0

  constructor(process: GitProcess, onIdle: () => void) {
    this.#process = process
    this.#onIdle = onIdle
    this.#io = process.io
    this.#io.on('data', (chunk: Buffer) => this.#receive(chunk))
    this.#io.on('close', () => this.fail(new GitError('failed', 'git cat-file has ended.')))
    this.#io.on('end', () => this.fail(new GitError('failed', 'git cat-file has ended.')))
  }

  get isBroken(): boolean {
    return this.#failure !== undefined
  }

  get isBusy(): boolean {
    return this.#isAwaited || this.#requests.length > 0
  }

  /** `name` is an object name or another revision that cannot contain NUL. */
  ask(name: string, wantsContent: boolean): Promise<ObjectInfo | GitObject | undefined> {
    this.#isAwaited = false
    if (this.#failure) return Promise.reject(this.#failure)
    return new Promise((resolve, reject) => {
      this.#requests.push({ wantsContent, resolve, reject })
      this.#io.write(`${wantsContent ? 'contents' : 'info'} ${name}\0`)
    })
  }

  fail(error: Error): void {
    if (this.#failure) return
    this.#failure = error
    this.#process.kill()
    this.#io.destroy()
    for (const request of this.#requests.splice(0)) request.reject(error)
  }

  #receive(chunk: Buffer): void {
    this.#chunks.push(chunk)
    this.#buffered_bytes += chunk.length
    // The chunks of a large object are not joined before it is complete.
    if (this.#current && this.#buffered_bytes <= this.#current.size) return
    let data = this.#chunks.length === 1 ? chunk : Buffer.concat(this.#chunks)
    for (;;) {
      const rest = this.#current ? this.#takeContent(data, this.#current) : this.#takeHeader(data)
      if (rest === undefined) break
      data = rest
    }
    this.#chunks = data.length > 0 ? [data] : []
    this.#buffered_bytes = data.length
    if (!this.isBusy) this.#onIdle()
  }

  /** Consumes a header line; undefined when it is not complete yet. */
  #takeHeader(data: Buffer): Buffer | undefined {
    const end = data.indexOf(10)
    if (end < 0) {
      if (data.length > header_bytes_max)
        this.fail(new GitError('failed', 'git cat-file: no header.'))
      return undefined
    }
    const line = data.toString('utf8', 0, end)
    const match = header.exec(line)
    const request = this.#requests[0]
    if (!request) {
      this.fail(new GitError('failed', 'git cat-file answered without being asked.'))
      return undefined
    }
    if (!match) {
      this.#requests.shift()
      if (/ (missing|ambiguous)$/.test(line)) request.resolve(undefined)
      else this.fail(new GitError('failed', 'git cat-file: unknown header.', line))
      return data.subarray(end + 1)
    }
    const [, oid = '', type = '', size = ''] = match
    const info = { oid: parseGitOid(oid), type: type as ObjectType, size: Number(size) }
    if (request.wantsContent) this.#current = info
    else {
      this.#requests.shift()
      request.resolve(info)
    }
    return data.subarray(end + 1)
  }

  #takeContent(data: Buffer, info: ObjectInfo): Buffer | undefined {
    if (data.length <= info.size) return undefined
    this.#current = undefined
    // Copied, so that a small object does not keep a large chunk in memory.
    this.#requests.shift()?.resolve({ ...info, content: Buffer.from(data.subarray(0, info.size)) })
    return data.subarray(info.size + 1)
  }
}

const processes_max = 64
const idle_ms_max = 30_000

/** A pool of `git cat-file` processes, one for each repository. The least recently used ones are ended first. */
export class CatFilePool {
  readonly #git: Git
  readonly #now_ms: () => number
  /** Those that are asked, started or not, and of these the started ones. */
  readonly #processes = new Map<string, Promise<CatFile>>()
  readonly #started = new Map<string, CatFile>()
  readonly #sweeper: NodeJS.Timeout

  constructor(git: Git, now_ms: () => number) {
    this.#git = git
    this.#now_ms = now_ms
    this.#sweeper = setInterval(() => this.#sweep(), idle_ms_max / 3)
    this.#sweeper.unref()
  }

  /** Type and size of an object, or undefined when there is none of that name. */
  info(repository: Repository, name: string): Promise<ObjectInfo | undefined> {
    return this.#ask(repository, name, false)
  }

  /** A whole object; ask `info` first where it may be large. */
  async read(repository: Repository, name: string): Promise<GitObject | undefined> {
    return (await this.#ask(repository, name, true)) as GitObject | undefined
  }

  /** A process may end between two questions or during one: what it was asked is asked once more. */
  async #ask(
    repository: Repository,
    name: string,
    wantsContent: boolean,
  ): Promise<ObjectInfo | GitObject | undefined> {
    // git repeats unknown names in its output, and one with a line break would look like two responses.
    if (/[\n\0]/.test(name) || name.length > name_characters_max) return undefined
    const process = await this.#get(repository)
    try {
      const answer = await process.ask(name, wantsContent)
      markWorkResumed()
      return answer
    } catch (error) {
      if (!(error instanceof GitError) || !process.isBroken) throw error
    }
    return (await this.#get(repository)).ask(name, wantsContent)
  }

  /** Ends a repository's process, before the repository goes. */
  async forget(repository: Repository): Promise<void> {
    const process = this.#processes.get(repository.path)
    this.#drop(repository.path)
    if (process) (await process).fail(new GitError('failed', 'The repository was removed.'))
  }

  async close(): Promise<void> {
    clearInterval(this.#sweeper)
    const processes = [...this.#processes.values()]
    this.#processes.clear()
    this.#started.clear()
    for (const process of await Promise.allSettled(processes)) {
      if (process.status === 'fulfilled') process.value.fail(new Error('The server is stopping.'))
    }
  }

  async #get(repository: Repository): Promise<CatFile> {
    const key = repository.path
    const kept = this.#processes.get(key)
    const process = kept && (await kept)
    if (process && !process.isBroken) {
      process.lastUsed_ms = this.#now_ms()
      return process
    }
    // Another caller may have started one while this one waited.
    const newest = this.#processes.get(key)
    if (newest && newest !== kept) return newest
    const starting = spawnGit(this.#git, repository, {
      args: ['cat-file', '--batch-command', '-z'],
      timeout_ms: 2 ** 31 - 1,
    }).then((opened) => new CatFile(opened, () => this.#makeRoom()))
    this.#processes.set(key, starting)
    starting.catch(() => this.#drop(key))
    this.#makeRoom()
    const started = await starting
    if (this.#processes.get(key) === starting) this.#started.set(key, started)
    started.lastUsed_ms = this.#now_ms()
    return started
  }

  #drop(key: string): void {
    this.#processes.delete(key)
    this.#started.delete(key)
  }

  /** Who waits for a process gets the place of one that has nothing to do. */
  #makeRoom(): void {
    if (this.#processes.size > processes_max) this.#sweep()
  }

  #sweep(): void {
    const now_ms = this.#now_ms()
    const started = [...this.#started].sort(([, a], [, b]) => a.lastUsed_ms - b.lastUsed_ms)
    let surplus = this.#processes.size - processes_max
    for (const [key, process] of started) {
      if (process.isBusy && !process.isBroken) continue
      if (surplus-- <= 0 && now_ms - process.lastUsed_ms < idle_ms_max) break
      this.#drop(key)
      process.fail(new GitError('failed', 'git cat-file was idle.'))
    }
  }
}
