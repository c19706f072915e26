import { type FileHandle, open } from 'node:fs/promises'
import type { Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'

const piece_bytes = 1024 * 1024
/** How often the size of the file is checked while readers wait for the writer. */
const look_ms = 5

/** A file that a program is writing. Any number of readers follow it, each at its own pace. */
export class GrowingFile {
  readonly path: string
  /** How far the readers have come. */
  bytes = 0
  #isGrowing = true
  #look: Promise<void> | undefined

  constructor(path: string) {
    this.path = path
  }

  /** Nothing is added any more. */
  end(): void {
    this.#isGrowing = false
  }

  /**
   * Writes all that is in the file and all that will be to `destination`, which it does not end. Ends
   * early when `destination` is closed; fails when there never was a file. `onPiece` sees each piece first.
   */
  async copyTo(destination: Writable, onPiece: (piece: Buffer) => void = () => {}): Promise<void> {
    const file = await this.#open()
    // One buffer is enough for the whole file, since each write is awaited.
    const piece = Buffer.allocUnsafeSlow(piece_bytes)
    try {
      for (let position = 0; !destination.destroyed; ) {
        // Checked before reading, so that bytes that are added in between are read in another round.
        const mayGrow = this.#isGrowing
        const { bytesRead } = await file.read(piece, 0, piece_bytes, position)
        position += bytesRead
        this.bytes = Math.max(this.bytes, position)
        if (bytesRead > 0) {
          onPiece(piece.subarray(0, bytesRead))
          await write(destination, piece.subarray(0, bytesRead))
        } else if (!mayGrow) return
        else await this.#nextLook()
      }
    } finally {
      await file.close()
    }
  }

  async #open(): Promise<FileHandle> {
    for (;;) {
      const mayGrow = this.#isGrowing
      try {
        return await open(this.path, 'r')
      } catch (error) {
        const isAwaited = (error as NodeJS.ErrnoException).code === 'ENOENT' && mayGrow
        if (!isAwaited) throw error
      }
      await this.#nextLook()
    }
  }

  /** One timer for all readers that wait. */
  #nextLook(): Promise<void> {
    this.#look ??= wait(look_ms).finally(() => {
      this.#look = undefined
    })
    return this.#look
  }
}

/** Ends when the bytes have left, or will never leave because the destination is closed. */
function write(destination: Writable, bytes: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      destination.off('close', end)
      resolve()
    }
    destination.once('close', end)
    destination.write(bytes, end)
  })
}
