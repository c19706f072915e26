import { getCompileCacheDir } from 'node:module'
import { availableParallelism } from 'node:os'
import { setImmediate } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { limits } from '../kernel/limits.ts'
import {
  type ArchivedRepository,
  type ArchivedRepositoryBatch,
  archiveRepositories,
  RepositoryChangedWhileRead,
  type RepositoryToArchive,
} from './archive-repositories.ts'
import type { ReadWorkerRequest, ReadWorkerResponse } from './read-worker.ts'
import {
  type FolderRefSnapshots,
  type StorageFolder,
  snapshotRefsOfFolder,
} from './repositories.ts'

type Pending = { resolve: (answer: ReadWorkerResponse) => void; reject: (error: unknown) => void }

/** Threads that read repositories on the disks of this machine. Starting them takes time, so start them ahead. */
export class ReaderPool {
  readonly #workers: Worker[]
  readonly #pending = new Map<number, Pending>()
  #next = 0
  #turn: Promise<void> = Promise.resolve()

  /**
   * On a machine with one core, the calling thread reads. In a server there is at least one reading thread,
   * and the threads do not keep its process alive.
   */
  constructor({ isInServer = false } = {}) {
    const spare = Math.min(limits.backup.threads_max, availableParallelism() - 1)
    const threads = isInServer ? Math.max(1, spare) : spare
    // The environment of a thread contains only the folder of the compile cache, which it needs to use that
    // cache.
    const cache = getCompileCacheDir()
    const env: Record<string, string> = cache === undefined ? {} : { NODE_COMPILE_CACHE: cache }
    this.#workers = Array.from({ length: threads }, () => this.#start(env))
    if (isInServer) for (const worker of this.#workers) worker.unref()
  }

  /** The number of reads that may be requested before the first result is used. */
  get ahead(): number {
    return 2 * this.#workers.length
  }

  /** Reads the references of a folder. Throws RepositoryChangedWhileRead as `snapshotRefs` does. */
  async capture(root: string, folder: StorageFolder): Promise<FolderRefSnapshots> {
    const answer = await this.#ask({ root, folder })
    if (answer) return (answer as { captured: FolderRefSnapshots }).captured
    // Without threads, requests run one after another, and the pause of the lanes is renewed in between.
    this.#turn = this.#turn.then(() => setImmediate())
    await this.#turn
    return snapshotRefsOfFolder(root, folder)
  }

  /**
   * Reads repositories in the given order. The result is undefined for a repository that was not read because
   * those before it are large.
   */
  async read(
    repositories: readonly RepositoryToArchive[],
  ): Promise<(ArchivedRepository | RepositoryChangedWhileRead | undefined)[]> {
    const answer = await this.#ask({ repositories })
    const { bytes, reads } = answer
      ? (answer as { together: ArchivedRepositoryBatch }).together
      : archiveRepositories(repositories)
    return reads.map((read) => {
      if ('changed' in read) return new RepositoryChangedWhileRead(read.changed)
      const { start, end, ...rest } = read
      return { ...rest, archive: Buffer.from(bytes.buffer, start, end - start) }
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()))
  }

  async #ask(reading: ReadWorkerRequest): Promise<ReadWorkerResponse | undefined> {
    const id = this.#next++
    const worker = this.#workers[id % this.#workers.length]
    if (!worker) return undefined
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      worker.postMessage({ id, reading })
    })
  }

  #start(env: Record<string, string>): Worker {
    const worker = new Worker(new URL('./read-worker.ts', import.meta.url), { env })
    worker.on('message', ({ id, answer }: { id: number; answer: ReadWorkerResponse }) => {
      const pending = this.#pending.get(id)
      this.#pending.delete(id)
      if ('changed' in answer) pending?.reject(new RepositoryChangedWhileRead(answer.changed))
      else pending?.resolve(answer)
    })
    worker.on('error', (error) => {
      for (const { reject } of this.#pending.values()) reject(error)
      this.#pending.clear()
    })
    return worker
  }
}
