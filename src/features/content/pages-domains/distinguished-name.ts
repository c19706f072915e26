// Names in certificates, in the two forms OpenSSL prints them in.
import {
  type DerElement,
  DerError,
  derTags,
  membersOfDerElement,
  readDerOid,
} from '../../../kernel/der.ts'
import { shortNameOfOid } from './object-names.ts'

type Part = { oid: string; value: DerElement }

/** Returns the parts of a name. The parts of an inner list belong together. */
function partsOf(name: DerElement): Part[][] {
  return membersOfDerElement(name).map((set) =>
    membersOfDerElement(set, derTags.set).map((pair) => {
      const [oid, value] = membersOfDerElement(pair)
      if (!value) throw new DerError()
      return { oid: readDerOid(oid), value }
    }),
  )
}

/** Formats a name as `/O=Example, Inc./CN=name`. */
export function formatDistinguishedNameWithSlashes(name: DerElement): string {
  return partsOf(name)
    .map((parts) =>
      parts
        .map(({ oid, value }) => `${shortNameOfOid(oid)}=${escapeBytes(value.content)}`)
        .join('+'),
    )
    .map((part) => `/${part}`)
    .join('')
}

function escapeBytes(content: Buffer): string {
  let text = ''
  for (const octet of content) {
    const character = String.fromCharCode(octet)
    if (character === '/' || character === '+') text += `\\${character}`
    else if (octet < 0x20 || octet > 0x7e) text += `\\x${hex(octet)}`
    else text += character
  }
  return text
}

/** Formats a name as `O = "Example, Inc.", CN = name`. */
export function formatDistinguishedNameWithCommas(name: DerElement): string {
  return partsOf(name)
    .map((parts) =>
      parts.map(({ oid, value }) => `${shortNameOfOid(oid)} = ${quoteValue(value)}`).join(' + '),
    )
    .join(', ')
}

/** The number of bytes of a character for each string type; 0 for UTF-8. */
const widths: Record<number, number | undefined> = {
  [derTags.utf8String]: 0,
  18: 1,
  19: 1,
  20: 1,
  22: 1,
  23: 1,
  24: 1,
  26: 1,
  28: 4,
  30: 2,
}

/** Formats a value as in RFC 2253, section 2.4, but with quotes instead of backslashes where quotes suffice. */
function quoteValue({ tag, content, bytes }: DerElement): string {
  const width = widths[tag]
  if (width === undefined) return `#${bytes.toString('hex').toUpperCase()}`
  const octets = width === 0 ? content : toUtf8(content, width)
  let [text, isQuoted] = ['', false]
  for (const [at, octet] of octets.entries()) {
    const character = String.fromCharCode(octet)
    const isEnd = at === 0 || at === octets.length - 1
    const needsQuotes =
      ',+<>;'.includes(character) || (character === ' ' && isEnd) || (character === '#' && at === 0)
    if (needsQuotes) isQuoted = true
    if (octet < 0x20 || octet > 0x7e) text += `\\${hex(octet)}`
    else text += character === '"' || character === '\\' ? `\\${character}` : character
  }
  return isQuoted ? `"${text}"` : text
}

function toUtf8(content: Buffer, width: number): Buffer {
  const points: number[] = []
  for (let at = 0; at + width <= content.length; at += width) {
    points.push(content.readUIntBE(at, width))
  }
  if (points.some((point) => point > 0x10ffff)) throw new DerError()
  return Buffer.from(points.map((point) => String.fromCodePoint(point)).join(''), 'utf8')
}

const hex = (octet: number) => octet.toString(16).padStart(2, '0').toUpperCase()
