// A scratch folder for one process among other processes on the same data; it is deleted with the process. The folder of
// a process that died is deleted by the others.
import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** How often a process renews its sign of life, and after how long a silent process counts as dead. */
const beat_ms = 30_000
const silence_ms_max = 5 * 60_000

/** Written at every beat. When it was, the file system says: clocks of machines that share it may differ. */
const sign = 'alive'

export class ProcessScratchFolder {
  readonly path: string
  readonly #parent: string
  readonly #timer: NodeJS.Timeout
  #beating: Promise<void> = Promise.resolve()

  private constructor(parent: string) {
    this.path = join(parent, randomUUID())
    this.#parent = parent
    this.#timer = setInterval(() => {
      // If it fails now, for example because the disk is full, it is retried at the next beat.
      this.#beating = this.#beat().catch(() => {})
    }, beat_ms)
    this.#timer.unref()
  }

  /** A new folder in `parent`, of which those are removed whose process is dead. */
  static async open(parent: string): Promise<ProcessScratchFolder> {
    const folder = new ProcessScratchFolder(parent)
    await folder.#beat()
    return folder
  }

  /** Removes it with all that is in it. */
  async close(): Promise<void> {
    clearInterval(this.#timer)
    await this.#beating
    // Programs that were just stopped may still write to it.
    await rm(this.path, { recursive: true, force: true, maxRetries: 5 })
  }

  async #beat(): Promise<void> {
    // A process that was stopped for long has been taken for dead.
    await mkdir(this.path, { recursive: true, mode: 0o700 })
    await writeFile(join(this.path, sign), '')
    await this.#removeDead()
  }

  async #removeDead(): Promise<void> {
    const now_ms = (await stat(join(this.path, sign))).mtimeMs
    for (const name of await readdir(this.#parent)) {
      const path = join(this.#parent, name)
      const seen_ms = await lastSeen_ms(path)
      if (seen_ms === undefined || now_ms - seen_ms <= silence_ms_max) continue
      await rm(path, { recursive: true, force: true })
    }
  }
}

/** Returns when the process of a folder last renewed its sign of life; without such a sign, when the folder last changed. */
async function lastSeen_ms(path: string): Promise<number | undefined> {
  return (await changedAt_ms(join(path, sign))) ?? changedAt_ms(path)
}

function changedAt_ms(path: string): Promise<number | undefined> {
  return stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
      return undefined
    },
  )
}
