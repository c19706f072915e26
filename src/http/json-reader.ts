// Reads a JSON text (RFC 8259) piece by piece as it arrives. It counts nesting, members and values before
// it keeps anything of them, and a piece takes time by its own length alone. It refuses what JSON.parse
// would refuse.
import { badRequest, malformedJson } from '../kernel/errors.ts'
import { limits } from '../kernel/limits.ts'
import { LongText } from './long-text.ts'

type Container = { value: Record<string, unknown> | unknown[]; key: string; members: number }

/** What may come next outside of a string or a scalar. */
type Expected =
  | 'value'
  | 'value-or-end'
  | 'key'
  | 'key-or-end'
  | 'colon'
  | 'comma-or-end'
  | 'nothing'

const quote = 0x22
const backslash = 0x5c
/** The longest number that is read; nobody sends one of so many digits. */
const scalar_characters_max = 400
/** The longest escape for one character: two surrogates. */
const escape_bytes_max = 12

export class JsonReader {
  readonly #stack: Container[] = []
  #expected: Expected = 'value'
  #result: unknown
  #values = 0
  /** A number or literal under way. */
  #scalar = ''
  #string: StringReader | undefined
  readonly #depth_max: number
  readonly #values_max: number

  /** How deep it may be, and of how many values: as parameters may unless said otherwise. */
  constructor({
    depth_max = limits.parameter_depth,
    values_max = limits.parameter_values,
  }: { depth_max?: number; values_max?: number } = {}) {
    this.#depth_max = depth_max
    this.#values_max = values_max
  }

  /** Takes the next bytes; throws the 400 of what is no JSON, too deep or too much. */
  write(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      if (this.#string) {
        at = this.#string.read(chunk, at)
        if (this.#string.isEnded) this.#endString(this.#string.take())
        continue
      }
      const byte = chunk[at] as number
      if (isScalar(byte)) {
        this.#scalar += String.fromCharCode(byte)
        if (this.#scalar.length > scalar_characters_max) throw malformedJson()
      } else {
        this.#endScalar()
        this.#take(byte)
      }
      at++
    }
  }

  /** The whole value, now that everything has been written. */
  end(): unknown {
    this.#endScalar()
    if (this.#expected !== 'nothing') throw malformedJson()
    return this.#result
  }

  #take(byte: number): void {
    switch (byte) {
      case 0x20:
      case 0x0a:
      case 0x0d:
      case 0x09:
        return
      case quote:
        this.#expect('value', 'value-or-end', 'key', 'key-or-end')
        this.#string = new StringReader()
        return
      case 0x7b:
        this.#open({}, 'key-or-end')
        return
      case 0x5b:
        this.#open([], 'value-or-end')
        return
      case 0x7d:
        this.#close(false)
        return
      case 0x5d:
        this.#close(true)
        return
      case 0x3a:
        this.#expect('colon')
        this.#expected = 'value'
        return
      case 0x2c:
        this.#expect('comma-or-end')
        this.#expected = Array.isArray(this.#stack.at(-1)?.value) ? 'value' : 'key'
        return
      default:
        throw malformedJson()
    }
  }

  #expect(...states: Expected[]): void {
    if (!states.includes(this.#expected)) throw malformedJson()
  }

  #open(value: Container['value'], expected: Expected): void {
    this.#expect('value', 'value-or-end')
    if (this.#stack.length >= this.#depth_max) {
      throw badRequest('parameters are nested too deeply')
    }
    this.#put(value)
    this.#stack.push({ value, key: '', members: 0 })
    this.#expected = expected
  }

  #close(isArray: boolean): void {
    this.#expect('comma-or-end', isArray ? 'value-or-end' : 'key-or-end')
    const closed = this.#stack.pop()
    if (!closed || Array.isArray(closed.value) !== isArray) throw malformedJson()
    this.#expected = this.#stack.length > 0 ? 'comma-or-end' : 'nothing'
  }

  #endString(text: string | LongText): void {
    this.#string = undefined
    if (this.#expected === 'key' || this.#expected === 'key-or-end') {
      const container = this.#stack.at(-1)
      if (!container || typeof text !== 'string') throw badRequest('too many parameters')
      container.key = text
      this.#expected = 'colon'
    } else this.#putScalar(text)
  }

  #endScalar(): void {
    if (this.#scalar === '') return
    const text = this.#scalar
    this.#scalar = ''
    this.#expect('value', 'value-or-end')
    this.#putScalar(parse(text))
  }

  #putScalar(value: unknown): void {
    this.#put(value)
    this.#expected = this.#stack.length > 0 ? 'comma-or-end' : 'nothing'
  }

  #put(value: unknown): void {
    const container = this.#stack.at(-1)
    if (!container) {
      this.#result = value
      return
    }
    container.members++
    this.#values++
    if (container.members > limits.parameter_members || this.#values > this.#values_max) {
      throw badRequest('too many parameters')
    }
    if (Array.isArray(container.value)) container.value.push(value)
    else if (container.key === '__proto__') {
      // Defined, not assigned: it is a name like any other.
      Object.defineProperty(container.value, container.key, {
        value,
        enumerable: true,
        writable: true,
        configurable: true,
      })
    } else container.value[container.key] = value
  }
}

/** The characters of numbers and literals. JSON.parse decides whether they form one. */
function isScalar(byte: number): boolean {
  return (
    (byte >= 0x61 && byte <= 0x7a) ||
    (byte >= 0x30 && byte <= 0x39) ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e ||
    byte === 0x45
  )
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw malformedJson()
  }
}

/** One string from behind its first quote to the one that ends it. */
class StringReader {
  #pieces: Buffer[] = []
  #bytes = 0
  #isEscaped = false
  #long: LongText | undefined
  isEnded = false

  /** Takes what of `chunk` from `from` on belongs to the string; answers where it ends. */
  read(chunk: Buffer, from: number): number {
    const end = this.#findEnd(chunk, from)
    this.#pieces.push(chunk.subarray(from, end))
    this.#bytes += end - from
    if (this.#bytes > limits.long_text_bytes) {
      this.#long ??= new LongText()
      this.#drain(this.#long, this.isEnded)
    }
    return this.isEnded ? end + 1 : end
  }

  take(): string | LongText {
    return this.#long ?? decode(Buffer.concat(this.#pieces))
  }

  /** Where the quote is that ends the string, or the end of the chunk. Each byte is looked at once. */
  #findEnd(chunk: Buffer, from: number): number {
    let at = from
    if (this.#isEscaped) at++
    this.#isEscaped = false
    let end = indexFrom(chunk, quote, at)
    let mark = indexFrom(chunk, backslash, at)
    while (mark < end) {
      at = mark + 2
      if (at > chunk.length) {
        this.#isEscaped = true
        return chunk.length
      }
      if (end < at) end = indexFrom(chunk, quote, at)
      mark = indexFrom(chunk, backslash, at)
    }
    this.isEnded = end < chunk.length
    return end
  }

  /** Decodes what has come but for an end that might be cut within a character. */
  #drain(long: LongText, isLast: boolean): void {
    const bytes = Buffer.concat(this.#pieces)
    const cut = isLast ? bytes.length : wholeCharacters(bytes)
    this.#pieces = [bytes.subarray(cut)]
    if (cut > 0) long.add(Buffer.from(decode(bytes.subarray(0, cut))))
  }
}

/** The index of `byte`, or the length where there is none. */
function indexFrom(chunk: Buffer, byte: number, from: number): number {
  const index = from < chunk.length ? chunk.indexOf(byte, from) : -1
  return index < 0 ? chunk.length : index
}

/** As far as no character, escape or pair of escapes reaches beyond. */
function wholeCharacters(bytes: Buffer): number {
  let last = -1
  let before = -1
  for (let at = bytes.indexOf(backslash); at >= 0; at = bytes.indexOf(backslash, at + 2)) {
    before = last
    last = at
  }
  if (last >= 0 && last + escape_bytes_max > bytes.length) {
    const isPair = last - before === 6 && isHighSurrogate(bytes, before)
    return before >= 0 && isPair ? before : last
  }
  // UTF-8 (RFC 3629): the first byte of a character is 0xc0 or above, those that follow are below.
  let first = bytes.length - 1
  while (first > bytes.length - 4 && ((bytes[first] ?? 0) & 0xc0) === 0x80) first--
  return (bytes[first] ?? 0) >= 0xc0 ? first : bytes.length
}

function isHighSurrogate(bytes: Buffer, at: number): boolean {
  const text = bytes.toString('latin1', at, at + 4).toLowerCase()
  return text.startsWith('\\ud') && '89ab'.includes(text[3] ?? '-')
}

function decode(bytes: Buffer): string {
  return parse(`"${bytes.toString('utf8')}"`) as string
}
