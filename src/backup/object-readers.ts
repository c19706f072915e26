import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { limits } from '../kernel/limits.ts'
import { ChangedMeanwhile, type ObjectsRead, readObjects } from './objects.ts'
import type { ReadAnswer, ReadRequest } from './read-worker.ts'

type Pending = { resolve: (read: ObjectsRead) => void; reject: (error: unknown) => void }

/** Threads that read the objects of repositories; none where there are few to read. */
export class ObjectReaders {
  readonly #workers: Worker[]
  readonly #pending = new Map<number, Pending>()
  #next = 0

  constructor(repositories: number) {
    const { threads_max, repositories_a_thread_min } = limits.backup
    const wanted = Math.floor(repositories / repositories_a_thread_min)
    const threads = Math.min(threads_max, availableParallelism() - 1, wanted)
    this.#workers = Array.from({ length: Math.max(0, threads) }, () => this.#start())
  }

  /** How many may be asked for before the first is used. */
  get ahead(): number {
    return 2 * this.#workers.length
  }

  /** Throws ChangedMeanwhile as `readObjects` does. */
  async read(path: string): Promise<ObjectsRead> {
    const id = this.#next++
    const worker = this.#workers[id % this.#workers.length]
    if (!worker) return readObjects(path)
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      worker.postMessage({ id, path } satisfies ReadRequest)
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#workers.map((worker) => worker.terminate()))
  }

  #start(): Worker {
    const worker = new Worker(new URL('./read-worker.ts', import.meta.url))
    worker.on('message', (answer: ReadAnswer) => {
      const pending = this.#pending.get(answer.id)
      this.#pending.delete(answer.id)
      if ('changed' in answer) pending?.reject(new ChangedMeanwhile(answer.changed))
      else pending?.resolve({ ...answer.read, archive: Buffer.from(answer.read.archive.buffer) })
    })
    worker.on('error', (error) => {
      for (const { reject } of this.#pending.values()) reject(error)
      this.#pending.clear()
    })
    return worker
  }
}
