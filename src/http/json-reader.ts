// Parses JSON (RFC 8259) piece by piece as it arrives. It counts nesting, members and values, and the time for a piece
// depends only on its length. It refuses what JSON.parse would refuse. For a text that is too large for memory, members
// of arrays and objects are handed to the caller as they are read.
import { badRequest, malformedJson } from '../kernel/errors.ts'
import { limits } from '../kernel/limits.ts'
import { LongText } from './long-text.ts'

/** Called with a member as soon as it has been read. Its result, if any, replaces the member. */
type MemberHandler = (value: unknown, key: string) => unknown

export type JsonShape = {
  /**
   * Arrays and objects whose members are handed over one by one, by where they are: `components`, or
   * `files.packages` for those within each element of another array. A key is handed over with members of objects.
   */
  readonly membersOf?: Readonly<Record<string, MemberHandler>>
  /** The members of the outermost object that are kept; those of `membersOf` always, and all if this is unsaid. */
  readonly only?: readonly string[]
  readonly depth_max?: number
  /** Members of any one array or object, as far as they are kept. */
  readonly members_max?: number
  /** All values that are kept at one time. */
  readonly values_max?: number
}

/** A node on the path to a place that a shape names. */
type Place = { handler: MemberHandler | undefined; below: Map<string, Place> }

type Container = {
  value: Record<string, unknown> | unknown[]
  key: string
  members: number
  /** Nothing of it is kept. */
  isSkipped: boolean
  place: Place | undefined
  /** How many values were kept before it was opened. */
  values_before: number
}

/** The kinds of tokens that may come next outside of a string or a scalar. */
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
  readonly #place: Place | undefined
  readonly #only: ReadonlySet<string> | undefined
  readonly #depth_max: number
  readonly #members_max: number
  readonly #values_max: number
  readonly #stack: Container[] = []
  #expected: Expected = 'value'
  #result: unknown
  #values = 0
  /** A number or literal under way. */
  #scalar = ''
  #string: StringReader | undefined

  /** Reads a request's body unless a shape says otherwise. */
  constructor(shape: JsonShape = {}) {
    this.#place = shape.membersOf && placesOf(shape.membersOf)
    this.#only = shape.only && new Set(shape.only)
    this.#depth_max = shape.depth_max ?? limits.parameter_depth
    this.#members_max = shape.members_max ?? limits.parameter_members
    this.#values_max = shape.values_max ?? limits.parameter_values
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
      if (byte === quote) {
        at = this.#readText(chunk, at + 1)
        continue
      }
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

  /** Reads a text that begins at `from`; answers where to go on. */
  #readText(chunk: Buffer, from: number): number {
    this.#endScalar()
    this.#expect('value', 'value-or-end', 'key', 'key-or-end')
    const end = endOfPlain(chunk, from)
    if (end < 0) {
      this.#string = new StringReader(this.#isSkipping())
      return from
    }
    this.#endString(chunk.toString('latin1', from, end))
    return end + 1
  }

  #take(byte: number): void {
    switch (byte) {
      case 0x20:
      case 0x0a:
      case 0x0d:
      case 0x09:
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
    if (this.#stack.length >= this.#depth_max) throw badRequest('parameters are nested too deeply')
    const above = this.#stack.at(-1)
    this.#stack.push({
      value,
      key: '',
      members: 0,
      isSkipped: this.#isSkipping(),
      place: above ? placeWithin(above) : this.#place,
      values_before: this.#values,
    })
    this.#expected = expected
  }

  #close(isArray: boolean): void {
    this.#expect('comma-or-end', isArray ? 'value-or-end' : 'key-or-end')
    const closed = this.#stack.pop()
    if (!closed || Array.isArray(closed.value) !== isArray) throw malformedJson()
    this.#put(closed.value, closed)
    this.#expected = this.#stack.length > 0 ? 'comma-or-end' : 'nothing'
  }

  /** Whether the value that comes next is read and let go of. */
  #isSkipping(): boolean {
    const container = this.#stack.at(-1)
    if (!container || container.isSkipped) return container !== undefined
    if (!this.#only || this.#stack.length > 1 || Array.isArray(container.value)) return false
    return !this.#only.has(container.key) && !container.place?.below.has(container.key)
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

  /** Keeps a value that has been read whole; `closed` is what it was while it was read. */
  #put(value: unknown, closed?: Container): void {
    const container = this.#stack.at(-1)
    if (!container) {
      this.#result = value
      return
    }
    if (this.#isSkipping()) return
    const handler = container.place?.handler
    const kept = handler ? handler(value, container.key) : value
    if (handler) {
      this.#values = closed?.values_before ?? this.#values
      if (kept === undefined) return
    }
    this.#count(container)
    keep(container, kept)
  }

  #count(container: Container): void {
    container.members++
    this.#values++
    if (container.members > this.#members_max || this.#values > this.#values_max) {
      throw badRequest('too many parameters')
    }
  }
}

function keep({ value: into, key }: Container, value: unknown): void {
  if (Array.isArray(into)) into.push(value)
  else if (key === '__proto__') {
    // Defined, not assigned, so that `__proto__` is a name like any other.
    Object.defineProperty(into, key, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    })
  } else into[key] = value
}

/** `{ a: f, 'a.b': g }` as a tree of places. */
function placesOf(membersOf: Readonly<Record<string, MemberHandler>>): Place {
  const root: Place = { handler: undefined, below: new Map() }
  for (const [path, handler] of Object.entries(membersOf)) {
    let place = root
    for (const name of path.split('.')) {
      const next: Place = place.below.get(name) ?? { handler: undefined, below: new Map() }
      place.below.set(name, next)
      place = next
    }
    place.handler = handler
  }
  return root
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

/** How many bytes are scanned for a plain string: keys and names are short. */
const plain_bytes_max = 256

/** Returns the end of a string that contains neither escapes nor non-ASCII bytes; -1 for any other string. */
function endOfPlain(chunk: Buffer, from: number): number {
  const last = Math.min(chunk.length, from + plain_bytes_max)
  for (let at = from; at < last; at++) {
    const byte = chunk[at] as number
    if (byte === quote) return at
    if (byte === backslash || byte < 0x20 || byte > 0x7e) return -1
  }
  return -1
}

/**
 * Returns the place of a value that begins within a container. All members of an array have the same place, and so have
 * members that are handed over.
 */
function placeWithin({ value, key, place }: Container): Place | undefined {
  if (!place) return undefined
  if (!Array.isArray(value) && !place.handler) return place.below.get(key)
  return place.below.size > 0 ? { handler: undefined, below: place.below } : undefined
}

/** Reads one string, from behind its opening quote to the closing one. */
class StringReader {
  #pieces: Buffer[] = []
  #bytes = 0
  #isEscaped = false
  #long: LongText | undefined
  readonly #isSkipped: boolean
  isEnded = false

  /** Of one that is skipped only the beginning is ever held. */
  constructor(isSkipped: boolean) {
    this.#isSkipped = isSkipped
  }

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
      // Escapes often follow each other, and searching for each is much slower than checking the next character.
      while (chunk[at] === backslash) at += 2
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
    if (cut === 0) return
    const text = decode(bytes.subarray(0, cut))
    if (!this.#isSkipped) long.add(Buffer.from(text))
  }
}

/** Returns the index of `byte`, or the length of the chunk if it is not there. */
function indexFrom(chunk: Buffer, byte: number, from: number): number {
  const index = from < chunk.length ? chunk.indexOf(byte, from) : -1
  return index < 0 ? chunk.length : index
}

/** Returns the length of the longest prefix that ends between characters, escapes and pairs of escapes. */
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
