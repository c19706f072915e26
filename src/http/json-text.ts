// Values that are serialized once and sent many times.
import { hash } from 'node:crypto'

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

/** Returns the body to send for `value`. */
export function serializeJson(value: unknown): string | Buffer {
  if (value instanceof JsonText) {
    digests.set(value.bytes, value.digest)
    return value.bytes
  }
  if (!isListOfTexts(value)) return JSON.stringify(value)
  const pieces = value.flatMap(({ bytes }, index) => [index === 0 ? open : comma, bytes])
  const whole = Buffer.concat([...pieces, close])
  digests.set(whole, hash('sha1', value.map(({ digest }) => digest).join()))
  return whole
}

function isListOfTexts(value: unknown): value is JsonText[] {
  return Array.isArray(value) && value.length > 0 && value.every((item) => item instanceof JsonText)
}

/** Returns the digest of a payload: a text, or bytes from `serializeJson`. */
export function payloadDigestOf(payload: unknown): string | undefined {
  if (typeof payload === 'string') return hash('sha1', payload)
  return Buffer.isBuffer(payload) ? digests.get(payload) : undefined
}
