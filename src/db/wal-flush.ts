// Durable commits of SQLite without blocking the main thread.
import { fdatasync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { promisify } from 'node:util'

const flushFile = promisify(fdatasync)

/**
 * Flushes the write-ahead log of a SQLite database to disk (sqlite.org: Write-Ahead Logging, section 3.1). With
 * `synchronous = FULL` SQLite does that inside of `commit` and blocks the thread. With `NORMAL` it does not; whoever
 * commits waits here instead, and many commits share a flush.
 */
export class WalFlush {
  readonly #file: FileHandle
  /** The flush that was begun last. */
  #running: Promise<void> = Promise.resolve()
  /** The one after it, which has not begun. */
  #next: Promise<void> | undefined

  private constructor(file: FileHandle) {
    this.#file = file
  }

  /** The log of the database at `path`, which is in WAL mode. SQLite keeps the file while the database is open. */
  static async open(path: string): Promise<WalFlush> {
    return new WalFlush(await open(`${path}-wal`, 'a'))
  }

  /**
   * Resolves when everything that was committed before the call is on the disk. Rejects for ever after the disk has
   * failed once: the system may have dropped what it could not write, so no later flush proves anything
   * (fsync(2), EIO). Only a restart reads again what is really there.
   */
  flush(): Promise<void> {
    // The running flush may have started before the commit.
    this.#next ??= this.#running.then(() => {
      this.#next = undefined
      this.#running = this.#write()
      return this.#running
    })
    return this.#next
  }

  async close(): Promise<void> {
    // A failed flush has rejected the promises of those who wait for it.
    await this.#next?.catch(() => {})
    await this.#running.catch(() => {})
    await this.#file.close()
  }

  async #write(): Promise<void> {
    try {
      await flushFile(this.#file.fd)
    } catch (cause) {
      throw new Error(
        'The database could not be written to the disk. Restart the server when the disk is well again.',
        { cause },
      )
    }
  }
}
