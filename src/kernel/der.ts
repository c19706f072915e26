// Reads DER (X.690), one element at a time. Lengths are checked against the available bytes; nothing is copied.

export type DerElement = {
  /** The identifier octet: class, constructed flag and number. */
  readonly tag: number
  readonly content: Buffer
  /** The whole element, including its tag and length. */
  readonly bytes: Buffer
}

/** The bytes are not valid DER. */
export class DerError extends Error {}

export const derTags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  sequence: 0x30,
  set: 0x31,
} as const

const elements_max = 10_000

/** Returns the first element in the bytes. */
export function readDerElement(bytes: Buffer): DerElement {
  const [tag, first] = bytes
  if (tag === undefined || first === undefined || (tag & 0x1f) === 0x1f) throw new DerError()
  let [length, start] = [first, 2]
  if (first >= 0x80) {
    const count = first & 0x7f
    if (count === 0 || count > 4 || bytes.length < 2 + count) throw new DerError()
    length = bytes.readUIntBE(2, count)
    start = 2 + count
  }
  const end = start + length
  if (end > bytes.length) throw new DerError()
  return { tag, content: bytes.subarray(start, end), bytes: bytes.subarray(0, end) }
}

/** Returns all consecutive elements in the bytes. */
export function readDerElements(content: Buffer): DerElement[] {
  const elements: DerElement[] = []
  for (let rest = content; rest.length > 0; ) {
    const element = readDerElement(rest)
    elements.push(element)
    if (elements.length > elements_max) throw new DerError()
    rest = rest.subarray(element.bytes.length)
  }
  return elements
}

/** Returns the members of a sequence or set. */
export function membersOfDerElement(
  element: DerElement | undefined,
  tag: number = derTags.sequence,
): DerElement[] {
  if (element?.tag !== tag) throw new DerError()
  return readDerElements(element.content)
}

/** Reads an object identifier as text: `1.2.840.113549`. */
export function readDerOid(element: DerElement | undefined): string {
  if (element?.tag !== derTags.oid) throw new DerError()
  return formatDerOid(element.content)
}

/** Formats the content octets of an object identifier as dotted numbers. */
export function formatDerOid(content: Buffer): string {
  const arcs: bigint[] = []
  let arc = 0n
  for (const [at, octet] of content.entries()) {
    arc = (arc << 7n) | BigInt(octet & 0x7f)
    if (octet & 0x80) {
      if (at === content.length - 1) throw new DerError()
      continue
    }
    if (arcs.length === 0) {
      const first = arc < 80n ? arc / 40n : 2n
      arcs.push(first, arc - first * 40n)
    } else arcs.push(arc)
    arc = 0n
  }
  return arcs.join('.')
}

/** Returns the bytes of a bit string, and how many bits of the last byte are unused. */
export function readDerBitString(element: DerElement | undefined): {
  unused: number
  bits: Buffer
} {
  if (element?.tag !== derTags.bitString) throw new DerError()
  const [unused = 8] = element.content
  if (unused > 7) throw new DerError()
  return { unused, bits: element.content.subarray(1) }
}

/** Reads an integer of any length, as signed. */
export function readDerInteger(element: DerElement | undefined): bigint {
  if (element?.tag !== derTags.integer || element.content.length === 0) throw new DerError()
  return BigInt.asIntN(element.content.length * 8, BigInt(`0x${element.content.toString('hex')}`))
}

/** Reads a UTCTime or GeneralizedTime (RFC 5280, section 4.1.2.5), in milliseconds. */
export function readDerTime_ms(element: DerElement | undefined): number {
  const text = element?.content.toString('latin1') ?? ''
  const short = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text)
  const long = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(text)
  const parts = element?.tag === derTags.utcTime ? short : long
  if (
    !parts ||
    !element ||
    element.tag < derTags.utcTime ||
    element.tag > derTags.generalizedTime
  ) {
    throw new DerError()
  }
  const [year = 0, month = 0, ...rest] = parts.slice(1).map(Number)
  const [day = 0, hour = 0, minute = 0, second = 0] = rest
  const full = element.tag === derTags.generalizedTime ? year : year + (year < 50 ? 2000 : 1900)
  return Date.UTC(full, month - 1, day, hour, minute, second)
}
