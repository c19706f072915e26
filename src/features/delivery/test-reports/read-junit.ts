// Reads JUnit reports as a stream, with little of them in memory.
import type { Readable } from 'node:stream'
import sax from 'sax'
import { markWorkResumed } from '../../../kernel/work-attribution.ts'

export type TestCase = {
  status: 'success' | 'failed' | 'error' | 'skipped'
  name: string
  classname: string
  file: string | null
  /** In seconds. */
  execution_time: number
  system_output: string | null
}

/** The maximum length of output that is kept, and the maximum number of test cases in a file. */
const output_characters_max = 50_000
const cases_max = 50_000
const text_characters_max = 1_000

export class JunitReportError extends Error {}

const outcomes = { failure: 'failed', error: 'error', skipped: 'skipped' } as const

/** Returns the test cases of a report. Throws JunitReportError if it is not valid XML or has too many cases. */
export async function readJunitReport(stream: Readable): Promise<TestCase[]> {
  const reader = new JunitReader()
  for await (const chunk of stream) {
    markWorkResumed()
    reader.write(chunk as Buffer)
  }
  return reader.end()
}

class JunitReader {
  readonly #parser = sax.parser(true, { trim: false, position: true })
  readonly #decoder = new TextDecoder()
  readonly #cases: TestCase[] = []
  #current: TestCase | undefined
  /** The text of the current failure, error or skip element; undefined outside of one. */
  #text: string | undefined

  constructor() {
    this.#parser.onerror = ({ message }) => {
      throw new JunitReportError(`JUnit XML parsing failed: ${message.split('\n', 1)[0]}`)
    }
    this.#parser.onopentag = ({ name, attributes }) => this.#open(name, attributes)
    this.#parser.onclosetag = (name) => this.#close(name)
    this.#parser.ontext = (text) => this.#add(text)
    this.#parser.oncdata = (text) => this.#add(text)
  }

  write(chunk: Buffer): void {
    this.#parser.write(this.#decoder.decode(chunk, { stream: true }))
  }

  end(): TestCase[] {
    this.#parser.close()
    return this.#cases
  }

  #open(name: string, attributes: Record<string, unknown>): void {
    const text = (value: unknown) =>
      typeof value === 'string' ? value.slice(0, text_characters_max) : ''
    if (name === 'testcase') {
      if (this.#cases.length >= cases_max) {
        throw new JunitReportError(`JUnit XML has more than ${cases_max} test cases`)
      }
      const { name: title, classname, file, time } = attributes
      this.#current = {
        status: 'success',
        name: text(title),
        classname: text(classname),
        file: text(file) || null,
        execution_time: secondsOf(text(time)),
        system_output: null,
      }
      return
    }
    const status = this.#current && statusOf(name)
    if (!this.#current || !status) return
    this.#current.status = status
    this.#text = text(attributes.message)
  }

  #add(text: string): void {
    if (this.#text === undefined || this.#text.length >= output_characters_max) return
    this.#text = (this.#text + text).slice(0, output_characters_max)
  }

  #close(name: string): void {
    if (this.#current && statusOf(name)) {
      this.#current.system_output = this.#text?.trim() || null
      this.#text = undefined
    }
    if (name !== 'testcase' || !this.#current) return
    this.#cases.push(this.#current)
    this.#current = undefined
  }
}

function statusOf(name: string): TestCase['status'] | undefined {
  return name === 'failure' || name === 'error' || name === 'skipped' ? outcomes[name] : undefined
}

function secondsOf(text: string): number {
  const seconds = Number(text.replaceAll(',', ''))
  return Number.isFinite(seconds) && seconds >= 0 ? seconds : 0
}
