// Reads the output of `git diff-tree` as a stream: records that end with NUL, then the patches of files.
import { GitError } from './errors.ts'

/** The modes, names and paths of one file; git itself makes none as long. */
const change_bytes_max = 1024 * 1024
/** The maximum size of the header above a patch: names, modes, objects. */
const header_bytes_max = 64 * 1024
const header = Buffer.from('\ndiff --git ')

/** Reads the output of a program in pieces. */
export class GitOutputReader {
  readonly #iterator: AsyncIterator<Buffer>
  #room = Buffer.allocUnsafeSlow(0)
  /** The part of the room that was read and not taken. */
  #data = this.#room
  hasEnded = false

  constructor(output: AsyncIterable<Buffer>) {
    this.#iterator = output[Symbol.asyncIterator]()
  }

  /** The bytes up to the next NUL; undefined at the end. */
  async takeRecord(): Promise<Buffer | undefined> {
    for (let from = 0; ; ) {
      const nul = this.#data.indexOf(0, from)
      if (nul >= 0) return this.#take(nul, nul + 1)
      from = this.#data.length
      if (from > change_bytes_max) throw new GitError('too-large', 'A path is too long.')
      if (!(await this.#more())) return undefined
    }
  }

  /**
   * The lines of the next file; undefined at the end or where the patch has more than `patch_bytes_max`. Lines of
   * contents begin with a space, a sign or a backslash, so a header is never one of them.
   */
  async takeSection(patch_bytes_max: number): Promise<Buffer | undefined> {
    const section_bytes_max = patch_bytes_max + header_bytes_max
    let isTooLong = false
    for (let from = 0; ; ) {
      const newline = this.#data.indexOf(header, from)
      if (newline >= 0) {
        const section = this.#take(newline + 1, newline + 1)
        return isTooLong ? undefined : section
      }
      from = Math.max(0, this.#data.length - header.length)
      if (this.#data.length > section_bytes_max) {
        isTooLong = true
        this.#take(from, from)
        from = 0
      }
      if (await this.#more()) continue
      const section = this.#take(this.#data.length, this.#data.length)
      return isTooLong || section.length === 0 ? undefined : section
    }
  }

  #take(end: number, next: number): Buffer {
    const taken = this.#data.subarray(0, end)
    this.#data = this.#data.subarray(next)
    return taken
  }

  async #more(): Promise<boolean> {
    const { done, value } = await this.#iterator.next()
    if (done) this.hasEnded = true
    else this.#append(value)
    return !done
  }

  /** Copies into room that doubles, behind what was taken before: a long section is not copied for each piece of it. */
  #append(piece: Buffer): void {
    const { length } = this.#data
    const end = this.#data.byteOffset - this.#room.byteOffset + length
    if (length === 0 || end + piece.length > this.#room.length) {
      this.#room = Buffer.allocUnsafeSlow(2 * (length + piece.length))
      this.#data.copy(this.#room)
      piece.copy(this.#room, length)
      this.#data = this.#room.subarray(0, length + piece.length)
      return
    }
    piece.copy(this.#room, end)
    this.#data = this.#room.subarray(end - length, end + piece.length)
  }
}

/**
 * From the first `@@` on, or the one line about a binary file; empty where neither is there, or there is more of it
 * than `patch_bytes_max`.
 */
export function extractPatchText(section: Buffer, patch_bytes_max: number): string {
  const hunk = section.indexOf('\n@@ ')
  const binary = hunk < 0 ? section.indexOf('\nBinary files ') : -1
  const start = Math.max(hunk, binary)
  if (start < 0 || section.length - start - 1 > patch_bytes_max) return ''
  return section.toString('utf8', start + 1)
}
