// The log of one job: masked, with sections, kept in a file until the server has received all of it.
import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import { Masker } from './masker.ts'

export type JobLogOptions = {
  path: string
  secrets: readonly string[]
  bytes_max: number
  /** Whether the server reads the marks of sections. */
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

  /** A new file at `path`. */
  constructor(options: JobLogOptions) {
    this.#options = options
    this.#masker = new Masker(options.secrets)
    this.#file = openSync(options.path, 'wx+', 0o600)
  }

  /** How many bytes there are, all of them masked. */
  get size(): number {
    return this.#size
  }

  /** As the protocol has it. */
  get checksum(): string {
    return `crc32:${this.#checksum.toString(16).padStart(8, '0')}`
  }

  /** What a program prints. */
  write(bytes: Buffer): void {
    this.#append(this.#masker.write(bytes))
  }

  /** A line of the runner's own. What a program printed before it is complete. */
  writeLine(text: string, color = ''): void {
    this.#flush()
    if (!this.#endsLine) this.#print('\n')
    this.#print(color === '' ? `${text}\n` : `${color}${text}${reset}\n`)
  }

  /** Runs `work` in a section that pages fold away. */
  async inSection<T>(name: string, title: string, work: () => Promise<T>): Promise<T> {
    this.#mark('start', name)
    this.writeLine(title, logColors.title)
    try {
      return await work()
    } finally {
      this.#mark('end', name)
    }
  }

  /** The bytes from `start` on, at most `length`. */
  read(start: number, length: number): Buffer {
    const bytes = Buffer.alloc(Math.min(length, Math.max(0, this.#size - start)))
    let done = 0
    while (done < bytes.length) {
      done += readSync(this.#file, bytes, done, bytes.length - done, start + done)
    }
    return bytes
  }

  /** Nothing more is written; what was kept back is there. */
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

  /** Text of our own may hold secrets too: the names of files and branches are other people's. */
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
