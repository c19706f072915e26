// Values that are serialized once and sent many times.
import { createHash, hash } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'

/**
 * A value with its JSON as bytes and their digest. Caching it saves serializing and hashing. A response body may be one
 * JsonText or a list of them; inside any other value it counts as the value it was made from.
 */
export class JsonText<Value = unknown> {
  readonly bytes: Buffer
  readonly digest: string

  constructor(value: Value) {
    this.bytes = Buffer.from(JSON.stringify(value))
    this.digest = hash('sha1', this.bytes)
  }

  /** The value, made anew, so that it may be changed. */
  get value(): Value {
    return JSON.parse(this.bytes.toString())
  }

  toJSON(): Value {
    return this.value
  }
}

const open = Buffer.from('[')
const comma = Buffer.from(',')
const close = Buffer.from(']')

const digests = new WeakMap<Buffer, string>()

/** How much of a list is serialized before other work gets a turn. */
const turn_characters = 1024 * 1024

/** Returns the body to send for `value`; a promise of it for a long list, between whose items other work gets turns. */
export function serializeJson(value: unknown): string | Buffer | Promise<Buffer> {
  if (value instanceof JsonText) {
    digests.set(value.bytes, value.digest)
    return value.bytes
  }
  if (!Array.isArray(value)) return JSON.stringify(value)
  if (!isListOfTexts(value)) return serializeList(value)
  const pieces = value.flatMap(({ bytes }, index) => [index === 0 ? open : comma, bytes])
  const whole = Buffer.concat([...pieces, close])
  digests.set(whole, hash('sha1', value.map(({ digest }) => digest).join()))
  return whole
}

function serializeList(items: readonly unknown[]): string | Promise<Buffer> {
  const texts: string[] = []
  let characters = 0
  for (const item of items) {
    if (characters > turn_characters) return serializeInTurns(texts, items)
    const text = serializeItem(item)
    texts.push(text)
    characters += text.length
  }
  return `[${texts.join(',')}]`
}

/** Serializes a list, and lets other work run in between. `texts` are the JSON of its first items. */
async function serializeInTurns(
  texts: readonly string[],
  items: readonly unknown[],
): Promise<Buffer> {
  const digest = createHash('sha1')
  const pieces: Buffer[] = []
  let characters = 0
  for (const [at, item] of items.entries()) {
    const text = texts[at] ?? serializeItem(item)
    const piece = Buffer.from(text)
    digest.update(piece).update(comma)
    pieces.push(at === 0 ? open : comma, piece)
    characters += text.length
    if (characters < turn_characters) continue
    characters = 0
    await setImmediate()
  }
  const whole = Buffer.concat([...pieces, close])
  digests.set(whole, digest.digest('hex'))
  return whole
}

const serializeItem = (item: unknown): string => JSON.stringify(item) ?? 'null'

function isListOfTexts(value: readonly unknown[]): value is JsonText[] {
  return value.length > 0 && value.every((item) => item instanceof JsonText)
}

/** Returns the digest of a payload: a text, or bytes from `serializeJson`. */
export function payloadDigestOf(payload: unknown): string | undefined {
  if (typeof payload === 'string') return hash('sha1', payload)
  return Buffer.isBuffer(payload) ? digests.get(payload) : undefined
}
