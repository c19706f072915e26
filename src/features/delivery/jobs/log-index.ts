// Finds the lines and sections of a log in one pass. The result is cached and continued when the log has grown, since
// logs are only appended to.

import { setImmediate } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import type { LRUCache } from 'lru-cache'
import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import { createLruCache } from '../../../kernel/lru.ts'
import type { Job } from '../pipeline-changes/job.ts'
import { readJobLog } from './job-log.ts'

const {
  lines_apart,
  line_bytes,
  chunk_bytes,
  sections_max,
  name_characters,
  header_characters,
  kept,
} = limits.log_index

export type JobLogSection = {
  name: string
  header: string
  start: string
  end: string | null
  /** The byte offset of the line in which the section begins. */
  offset: number
  /** The number of that line, starting at 1. The line contains the header. */
  first_line: number
  /** The number of the last line of the section; null until the section ends. */
  last_line: number | null
  /** Whether the job requests that pages show the section collapsed. */
  collapsed: boolean
}

export type JobLogIndex = {
  bytes: number
  lines: number
  /** The byte offsets of the first line and of every 1,000th line after it. */
  offsets: number[]
  sections: JobLogSection[]
}

type LogOf = Pick<Job, 'id' | 'log_blob' | 'log_bytes'>
type Uses = Pick<Instance, 'db' | 'config'>

const newline = 10
const sign = 'section_'
/** The end of a section marker, which makes terminals overwrite it. */
const markerEnd = '\r\u001b[0K'

class LogIndexer {
  #read = 0
  #lines = 0
  readonly #offsets: number[] = []
  readonly #sections: JobLogSection[] = []
  /** The sections that have not ended, by name. */
  readonly #open = new Map<string, JobLogSection>()
  /** The start of the line that has not ended yet. It is empty if that line is very long. */
  #rest: Buffer = Buffer.alloc(0)
  #lineStart = 0
  #turn: Promise<unknown> = Promise.resolve()

  /** Indexes the bytes that the log has now. Concurrent calls run one after another. */
  index(uses: Uses, job: LogOf): Promise<JobLogIndex> {
    const turn = this.#turn.then(() => this.#readOn(uses, job))
    this.#turn = turn.catch(() => undefined)
    return turn
  }

  async #readOn(uses: Uses, job: LogOf): Promise<JobLogIndex> {
    for await (const chunk of await readJobLog(uses, job, { start: this.#read, chunk_bytes })) {
      this.#take(chunk)
      // Chunks may be available without waiting, so the loop yields to other requests after each chunk.
      await setImmediate()
    }
    const isCut = this.#lineStart < this.#read
    return {
      bytes: this.#read,
      lines: this.#lines + (isCut ? 1 : 0),
      offsets:
        isCut && this.#lines % lines_apart === 0
          ? [...this.#offsets, this.#lineStart]
          : [...this.#offsets],
      sections: this.#sections.map((section) => ({ ...section })),
    }
  }

  #take(chunk: Buffer): void {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    const from = this.#rest.length
    let begin = 0
    let marker = bytes.indexOf(sign)
    for (let at = bytes.indexOf(newline, from); at >= 0; at = bytes.indexOf(newline, at + 1)) {
      if (marker >= 0 && marker < at) {
        this.#readLine(bytes.subarray(Math.max(begin, at - line_bytes), at).toString())
        marker = bytes.indexOf(sign, at)
      }
      if (this.#lines % lines_apart === 0) this.#offsets.push(this.#lineStart)
      this.#lines++
      this.#lineStart = this.#read + at + 1 - from
      begin = at + 1
    }
    this.#read += chunk.length
    const isLong = bytes.length - begin > line_bytes
    // The copy lets the chunk be freed; a view of it would keep all of its bytes in memory.
    this.#rest = isLong ? Buffer.alloc(0) : Buffer.from(bytes.subarray(begin))
  }

  /** Reads the markers of a line, `section_start:<seconds>:<name>[options]`, each with the text after it. */
  #readLine(line: string): void {
    const number = this.#lines + 1
    const pieces = line.split(markerEnd)
    let begun: JobLogSection | undefined
    const ended: JobLogSection[] = []
    let hasText = false
    for (const piece of pieces) {
      const at = piece.lastIndexOf(sign)
      const marker = at < 0 ? null : markerPattern.exec(piece.slice(at))
      const text = stripVTControlCharacters(marker ? piece.slice(0, at) : piece).trim()
      if (text !== '') hasText = true
      if (begun) begun.header = text.slice(0, header_characters)
      begun = marker?.[1] === 'start' ? this.#begin(marker, number) : undefined
      const over = marker?.[1] === 'end' ? this.#end(marker) : undefined
      if (over) ended.push(over)
      if (begun) hasText = true
    }
    // If the line contains only the end marker, it is the last line of the section.
    for (const section of ended)
      section.last_line = Math.max(section.first_line, hasText ? number - 1 : number)
  }

  #end([, , seconds = '', name = '']: readonly string[]): JobLogSection | undefined {
    const ended = this.#open.get(name)
    if (ended) ended.end = timeOf(seconds)
    this.#open.delete(name)
    return ended
  }

  #begin(
    [, , seconds = '', name = '', options = '']: readonly string[],
    first_line: number,
  ): JobLogSection | undefined {
    if (this.#sections.length >= sections_max || name.length > name_characters) return undefined
    const section: JobLogSection = {
      name,
      header: '',
      start: timeOf(seconds),
      end: null,
      offset: this.#lineStart,
      first_line,
      last_line: null,
      collapsed: options.split(',').includes('collapsed=true'),
    }
    this.#sections.push(section)
    this.#open.set(name, section)
    return section
  }

  get read(): number {
    return this.#read
  }
}

const markerPattern = /^section_(start|end):(\d{1,11}):([\w.-]+)(?:\[([\w=,]*)\])?$/

const timeOf = (seconds: string) => new Date(Number(seconds) * 1000).toISOString()

const indexers = new WeakMap<Db, LRUCache<string, LogIndexer>>()

/** Returns the index of the current log (docs/api/ci.md, "Jobs"). After the log was erased, the index starts anew. */
export async function buildJobLogIndex(uses: Uses, job: LogOf): Promise<JobLogIndex> {
  const known = indexers.get(uses.db) ?? createLruCache<LogIndexer>(kept)
  indexers.set(uses.db, known)
  const key = String(job.id)
  const found = known.get(key)
  const indexer = found && found.read <= Number(job.log_bytes) ? found : new LogIndexer()
  known.set(key, indexer)
  try {
    return await indexer.index(uses, job)
  } catch (error) {
    known.delete(key)
    throw error
  }
}
