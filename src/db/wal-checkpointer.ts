import { once } from 'node:events'
import { Worker } from 'node:worker_threads'

/** The thread ends after so long without work, since it takes memory. */
const idle_ms = 10_000

/** Runs checkpoints of the SQLite database at `path`, in a thread that ends when there is little to do. */
export class WalCheckpointer {
  readonly #path: string
  #worker: Worker | undefined
  #running: Promise<void> | undefined
  #idle: NodeJS.Timeout | undefined

  constructor(path: string) {
    this.#path = path
  }

  /** Begins one, unless one is under way. What fails is tried again at the next call. */
  begin(): void {
    this.#running ??= this.#run()
      .catch(() => this.#forget())
      .finally(() => {
        this.#running = undefined
      })
  }

  async close(): Promise<void> {
    await this.#running
    await this.#end()
  }

  async #run(): Promise<void> {
    clearTimeout(this.#idle)
    this.#worker ??= new Worker(new URL('./checkpoint-worker.ts', import.meta.url), {
      workerData: this.#path,
    })
    this.#worker.unref()
    this.#worker.postMessage('checkpoint')
    await once(this.#worker, 'message')
    this.#idle = setTimeout(() => void this.#end(), idle_ms).unref()
  }

  /** Its connection is closed before SQLite's last one is, which removes the log. */
  async #end(): Promise<void> {
    const worker = this.#worker
    this.#forget()
    if (!worker) return
    worker.ref()
    worker.postMessage('end')
    await once(worker, 'exit')
  }

  #forget(): void {
    clearTimeout(this.#idle)
    this.#worker = undefined
  }
}
