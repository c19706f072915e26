// Shares the response to a clone among all clients that send the same request at about the same time. git writes it to a
// file, from which each client gets it: no git waits for a slow client, and the bytes go from the file to the connection
// in large pieces.
import { createHash, randomUUID } from 'node:crypto'
import { rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Writable } from 'node:stream'
import { LRUCache } from 'lru-cache'
import { type Git, type GitCommand, runGit, spawnGit } from './command.ts'
import { FetchMessageEncoder, fetchProblemText, progressWhileWaiting } from './fetch-output.ts'
import { GrowingFile } from './growing-file.ts'
import type { ProcessScratchFolder } from './process-scratch-folder.ts'
import { listRefs } from './refs.ts'
import type { Repository } from './repository.ts'

/** How long an unread response is kept, and the total size of kept responses. */
const kept_ms = 60_000
const kept_bytes_max = 1024 ** 3
/** With less room than this on the disk, answers go straight to their clients. */
const free_bytes_min = 1024 ** 3
const making_ms_max = 60 * 60_000

export type FetchRequest = Pick<GitCommand, 'args' | 'env' | 'memory_bytes'> & {
  /** The whole request, as git reads it from its stdin. */
  body: Buffer
}

type Answer = {
  file: GrowingFile
  making: AbortController
  /** Resolves when git has been started; rejects when it cannot be. */
  started: Promise<void>
  /** Resolves when git has been started or has to wait for that, whichever is first. */
  decided: Promise<void>
  readers: number
  /** Whether git made it without complaint; only then does it serve anybody who comes later. */
  isGood: boolean
  /** Why git ended early, where it could not tell its clients. */
  problemText: string | undefined
}

export class SharedFetches {
  readonly #git: Git
  readonly #folder: ProcessScratchFolder
  readonly #answers = new Map<string, Answer>()
  #capabilities: Promise<Buffer> | undefined
  /** Those without readers, until it is their time to go. */
  readonly #idle = new LRUCache<string, Answer>({
    maxSize: kept_bytes_max,
    ttl: kept_ms,
    ttlAutopurge: true,
    sizeCalculation: ({ file }) => file.bytes + 1,
    dispose: (answer, key, reason) => {
      if (reason !== 'delete') this.#remove(key, answer)
    },
  })

  /** `folder` goes with this. */
  constructor(git: Git, folder: ProcessScratchFolder) {
    this.#git = git
    this.#folder = folder
  }

  /**
   * Writes git's answer to a request for a history from its beginning to what `begin` opens, and ends
   * it. False, with nothing done, where the request is another one or the disk is nearly full. That the
   * client may read the repository was settled before.
   */
  async send(
    repository: Repository,
    request: FetchRequest,
    begin: () => Writable,
  ): Promise<boolean> {
    if (!asksForAll(request.body)) return false
    const key = await keyOf(repository, request)
    if (!this.#answers.has(key)) {
      const { bavail, bsize } = await statfs(this.#folder.path)
      if (bavail * bsize < free_bytes_min) return false
    }
    const answer = this.#answers.get(key) ?? this.#make(key, repository, request)
    answer.readers++
    this.#idle.delete(key)
    try {
      // If git fails at once, the caller refuses the request with an HTTP status.
      await answer.decided
      await this.#copy(answer, begin(), new FetchMessageEncoder(request.body))
    } finally {
      this.#leave(key, answer)
    }
    return true
  }

  async #copy(answer: Answer, destination: Writable, messages: FetchMessageEncoder): Promise<void> {
    try {
      for await (const line of progressWhileWaiting(answer.started, messages))
        destination.write(line)
      await answer.started.then(
        () => answer.file.copyTo(destination, (piece) => messages.pass(piece)),
        () => {},
      )
      if (answer.problemText !== undefined) destination.write(messages.failure(answer.problemText))
      destination.end()
    } catch (error) {
      destination.destroy(error as Error)
    }
  }

  /**
   * What upload-pack says of itself in protocol version 2: the same for every repository, because none
   * has settings of its own (gitprotocol-v2, "Capability Advertisement").
   */
  capabilities(repository: Repository, args: string[]): Promise<Buffer> {
    this.#capabilities ??= runGit(this.#git, repository, {
      args,
      env: { GIT_PROTOCOL: 'version=2' },
    }).catch((error) => {
      this.#capabilities = undefined
      throw error
    })
    return this.#capabilities
  }

  async close(): Promise<void> {
    for (const { making } of this.#answers.values()) making.abort()
    this.#idle.clear()
    await this.#folder.close()
  }

  #make(key: string, repository: Repository, { body, ...command }: FetchRequest): Answer {
    const file = new GrowingFile(join(this.#folder.path, randomUUID()))
    const making = new AbortController()
    const started = Promise.withResolvers<void>()
    const decided = Promise.withResolvers<void>()
    started.promise.then(decided.resolve, decided.reject)
    const answer: Answer = {
      file,
      making,
      started: started.promise,
      decided: decided.promise,
      readers: 0,
      isGood: false,
      problemText: undefined,
    }
    this.#answers.set(key, answer)
    this.#run(repository, body, started, {
      ...command,
      outputFile: file.path,
      timeout_ms: making_ms_max,
      signal: making.signal,
      onWait: decided.resolve,
    }).then(
      () => {
        answer.isGood = true
        file.end()
      },
      (error) => {
        started.reject(error)
        answer.problemText = fetchProblemText(error)
        // The next client starts a new one.
        if (this.#answers.get(key) === answer) this.#answers.delete(key)
        file.end()
      },
    )
    return answer
  }

  async #run(
    repository: Repository,
    body: Buffer,
    started: PromiseWithResolvers<void>,
    command: GitCommand,
  ): Promise<void> {
    const { io, exit } = await spawnGit(this.#git, repository, command)
    started.resolve()
    io.resume().end(body)
    await exit.finally(() => io.destroy())
  }

  #leave(key: string, answer: Answer): void {
    if (--answer.readers > 0) return
    const isCurrent = this.#answers.get(key) === answer
    if (isCurrent && answer.isGood) this.#idle.set(key, answer)
    else this.#remove(key, answer)
  }

  #remove(key: string, answer: Answer): void {
    if (this.#answers.get(key) === answer) this.#answers.delete(key)
    answer.making.abort()
    rm(answer.file.path, { force: true }).catch(() => {})
  }
}

/** Whether the client wants something, has nothing, and has said all it has to say. */
function asksForAll(body: Buffer): boolean {
  return body.includes('want ') && !body.includes('have ') && body.includes('0009done\n')
}

/** Returns what the response depends on: the request, and the tags that may be followed. */
async function keyOf(
  repository: Repository,
  { args, env = {}, body }: FetchRequest,
): Promise<string> {
  const refs = await listRefs(repository, 'refs/')
  const parts = createHash('sha256').update(JSON.stringify([repository.path, args, env]))
  return parts
    .update(body)
    .update(await refs.digest())
    .digest('base64')
}
