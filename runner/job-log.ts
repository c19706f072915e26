// The log of one job: masked, with sections, kept in a file until the server has received all of it.
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { Masker } from './masker.ts'

export type JobLogOptions = {
  path: string
  secrets: readonly string[]
  bytes_max: number
  /** Whether the server supports markers of sections. */
  hasSections: boolean
}

const reset = '\u001b[0;m'
export const logColors = { title: '\u001b[36;1m', good: '\u001b[32;1m', bad: '\u001b[31;1m' }

export class JobLog {
  readonly #options: JobLogOptions
  readonly #file: number
  #masker: Masker
  #size = 0
  #checksum = 0
  #isFull = false
  #endsLine = true

  /** Creates the file at `path`. */
  constructor(options: JobLogOptions) {
    this.#options = options
    this.#masker = new Masker(options.secrets)
    this.#file = openSync(options.path, 'wx+', 0o600)
  }

  /** The number of bytes, all of them masked. */
  get size(): number {
    return this.#size
  }

  /** The checksum in the format of the protocol. */
  get checksum(): string {
    return `crc32:${this.#checksum.toString(16).padStart(8, '0')}`
  }

  /** Appends output of a program. */
  write(bytes: Buffer): void {
    this.#append(this.#masker.write(bytes))
  }

  /** Appends a line of the runner. An incomplete line of a program is ended first. */
  writeLine(text: string, color = ''): void {
    this.#flush()
    if (!this.#endsLine) this.#print('\n')
    this.#print(color === '' ? `${text}\n` : `${color}${text}${reset}\n`)
  }

  /** Runs `work` in a section that pages can collapse. */
  async inSection<T>(name: string, title: string, work: () => Promise<T>): Promise<T> {
    this.#mark('start', name)
    this.writeLine(title, logColors.title)
    try {
      return await work()
    } finally {
      this.#mark('end', name)
    }
  }

  /** Returns up to `length` bytes from `start`. */
  read(start: number, length: number): Buffer {
    const bytes = Buffer.alloc(Math.min(length, Math.max(0, this.#size - start)))
    let done = 0
    while (done < bytes.length) {
      done += readSync(this.#file, bytes, done, bytes.length - done, start + done)
    }
    return bytes
  }

  /** Appends everything that was held back. Nothing may be written afterwards. */
  end(): void {
    this.#flush()
  }

  close(): void {
    closeSync(this.#file)
  }

  #mark(kind: 'start' | 'end', name: string): void {
    this.#flush()
    if (!this.#endsLine) this.#print('\n')
    if (!this.#options.hasSections) return
    const now_s = Math.floor(Date.now() / 1000)
    this.#append(Buffer.from(`section_${kind}:${now_s}:${name}\r\u001b[0K`))
    this.#endsLine = true
  }

  /** Appends text of the runner. It is masked too, since it may contain names of files and branches. */
  #print(text: string): void {
    this.#append(this.#masker.write(Buffer.from(text)))
    this.#flush()
  }

  #flush(): void {
    this.#append(this.#masker.end())
    this.#masker = new Masker(this.#options.secrets)
  }

  #append(bytes: Buffer): void {
    if (this.#isFull || bytes.length === 0) return
    const room = this.#options.bytes_max - this.#size
    this.#store(bytes.subarray(0, room))
    if (bytes.length <= room) return
    this.#isFull = true
    this.#store(
      Buffer.from(
        `\n${logColors.bad}The log has reached its limit of ${this.#options.bytes_max} bytes.\n` +
          `The job continues, but its further output is not stored.${reset}\n`,
      ),
    )
  }

  #store(bytes: Buffer): void {
    if (bytes.length === 0) return
    let done = 0
    while (done < bytes.length) {
      done += writeSync(this.#file, bytes, done, bytes.length - done, this.#size + done)
    }
    this.#size += bytes.length
    this.#checksum = crc32(bytes, this.#checksum)
    this.#endsLine = bytes.at(-1) === 10
  }
}
