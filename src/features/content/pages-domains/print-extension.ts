// Prints extensions of certificates as OpenSSL does: common ones by their content, others as bytes.

import {
  type DerElement,
  DerError,
  derTags,
  formatDerOid,
  membersOfDerElement,
  readDerBitString,
  readDerElement,
  readDerElements,
  readDerInteger,
  readDerOid,
} from '../../../kernel/der.ts'
import { ownValue } from '../../../kernel/own-value.ts'
import {
  formatDistinguishedNameWithCommas,
  formatDistinguishedNameWithSlashes,
} from './distinguished-name.ts'
import { longNameOfOid } from './object-names.ts'
import { formatColonHex, formatHexLines, toPrintableAscii } from './print-bytes.ts'

/** Returns the lines of an extension, including its name. */
export function formatX509ExtensionAsText(extension: DerElement, indent: number): string[] {
  const [oidElement, ...rest] = membersOfDerElement(extension)
  const oid = readDerOid(oidElement)
  const isCritical = rest[0]?.tag === derTags.boolean && rest[0].content[0] !== 0
  const value = rest.at(-1)
  if (value?.tag !== derTags.octetString) throw new DerError()
  const space = ' '.repeat(indent)
  const head = `${space}${longNameOfOid(oid)}: ${isCritical ? 'critical' : ''}`
  const lines = bodyOf(oid, value.content)
  return [head, ...lines.map((line) => (line === '' ? '' : `${space}    ${line}`))]
}

function bodyOf(oid: string, content: Buffer): string[] {
  const print = ownValue(printers, oid)
  if (!print) return [toPrintableAscii(content)]
  try {
    return print(readDerElement(content))
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    return [toPrintableAscii(content)]
  }
}

const keyUsages = [
  'Digital Signature',
  'Non Repudiation',
  'Key Encipherment',
  'Data Encipherment',
  'Key Agreement',
  'Certificate Sign',
  'CRL Sign',
  'Encipher Only',
  'Decipher Only',
]
const netscapeTypes = [
  'SSL Client',
  'SSL Server',
  'S/MIME',
  'Object Signing',
  'Unused',
  'SSL CA',
  'S/MIME CA',
  'Object Signing CA',
]
const tlsFeatures: Record<string, string> = { 5: 'status_request', 17: 'status_request_v2' }

const printers: Record<string, (value: DerElement) => string[]> = {
  // Subject and authority key identifiers
  '2.5.29.14': (value) => [upperHex(contentOf(value, derTags.octetString))],
  '2.5.29.35': authorityKey,
  '2.5.29.15': (value) => [namedBits(value, keyUsages)],
  '2.16.840.1.113730.1.1': (value) => [namedBits(value, netscapeTypes)],
  '2.16.840.1.113730.1.13': (value) => [textOf(value.content)],
  '2.5.29.17': generalNamesLine,
  '2.5.29.18': generalNamesLine,
  '2.5.29.19': basicConstraints,
  '2.5.29.30': nameConstraints,
  '2.5.29.31': distributionPoints,
  '2.5.29.46': distributionPoints,
  '2.5.29.32': policies,
  '2.5.29.36': policyConstraints,
  '2.5.29.37': (value) => [
    orEmpty(membersOfDerElement(value).map((use) => longNameOfOid(readDerOid(use)))),
  ],
  '2.5.29.54': (value) => [printNumber(value)],
  '1.3.6.1.5.5.7.1.1': accessDescriptions,
  '1.3.6.1.5.5.7.1.11': accessDescriptions,
  '1.3.6.1.5.5.7.1.24': (value) => [
    membersOfDerElement(value)
      .map((feature) => String(readDerInteger(feature)))
      .map((feature) => ownValue(tlsFeatures, feature) ?? feature)
      .join(', '),
  ],
  '1.3.6.1.5.5.7.48.1.5': () => [''],
  '1.3.6.1.4.1.11129.2.4.2': timestamps,
  '1.3.6.1.4.1.11129.2.4.3': () => ['NULL'],
}

function contentOf(element: DerElement, tag: number): Buffer {
  if (element.tag !== tag) throw new DerError()
  return element.content
}

/** Returns the text up to the first NUL, where C strings of OpenSSL end. */
function textOf(content: Buffer): string {
  const end = content.indexOf(0)
  return content.toString('utf8', 0, end < 0 ? content.length : end)
}

const upperHex = (bytes: Buffer) => formatColonHex(bytes).toUpperCase()
const orEmpty = (values: string[]) => (values.length === 0 ? '<EMPTY>' : values.join(', '))

function namedBits(value: DerElement, names: readonly string[]): string {
  const { bits } = readDerBitString(value)
  const set = names.filter((_, at) => ((bits[at >> 3] ?? 0) & (0x80 >> (at & 7))) !== 0)
  return set.length === 0 ? '' : set.join(', ')
}

function basicConstraints(value: DerElement): string[] {
  const members = membersOfDerElement(value)
  const ca = members.find(({ tag }) => tag === derTags.boolean)
  const length = members.find(({ tag }) => tag === derTags.integer)
  const words = [`CA:${ca && ca.content[0] !== 0 ? 'TRUE' : 'FALSE'}`]
  if (length) words.push(`pathlen:${printNumber(length)}`)
  return [words.join(', ')]
}

/** Prints a number: decimal up to 128 bits, hexadecimal beyond. */
function printNumber(element: DerElement): string {
  const value = readDerInteger(element)
  return value < 2n ** 127n ? String(value) : `0x${value.toString(16).toUpperCase()}`
}

function authorityKey(value: DerElement): string[] {
  const members = membersOfDerElement(value)
  const field = (number: number) => members.find(({ tag }) => (tag & 0x1f) === number)
  const [key, issuer, serial] = [field(0), field(1), field(2)]
  const lines: string[] = []
  if (key) lines.push(`${issuer || serial ? 'keyid:' : ''}${upperHex(key.content)}`)
  if (issuer) lines.push(...readDerElements(issuer.content).map(generalName))
  if (serial) lines.push(`serial:${upperHex(withoutZero(serial.content))}`)
  return lines.length === 0 ? ['<EMPTY>'] : lines
}

const withoutZero = (bytes: Buffer) =>
  bytes.length > 1 && bytes[0] === 0 ? bytes.subarray(1) : bytes

function generalNamesLine(value: DerElement): string[] {
  return [orEmpty(membersOfDerElement(value).map(generalName))]
}

/** Formats a name for extensions that print one name per line. */
function shownName(name: DerElement): string {
  if ((name.tag & 0x1f) !== 4) return generalName(name)
  return `DirName:${formatDistinguishedNameWithCommas(readDerElement(name.content))}`
}

/** Prints a general name (RFC 5280, section 4.2.1.6). */
function generalName({ tag, content }: DerElement): string {
  switch (tag & 0x1f) {
    case 0:
      return otherName(content)
    case 1:
      return `email:${textOf(content)}`
    case 2:
      return `DNS:${textOf(content)}`
    case 3:
      return 'X400Name:<unsupported>'
    case 4:
      return `DirName:${formatDistinguishedNameWithSlashes(readDerElement(content))}`
    case 5:
      return 'EdiPartyName:<unsupported>'
    case 6:
      return `URI:${textOf(content)}`
    case 7:
      return `IP Address:${ipAddress(content)}`
    case 8:
      return `Registered ID:${longNameOfOid(formatDerOid(content))}`
    default:
      throw new DerError()
  }
}

const knownOtherNames: Record<string, string> = {
  '1.3.6.1.4.1.311.20.2.3': 'UPN',
  '1.3.6.1.5.5.7.8.5': 'XmppAddr',
  '1.3.6.1.5.5.7.8.7': 'SRVName',
  '1.3.6.1.5.5.7.8.8': 'NAIRealm',
  '1.3.6.1.5.5.7.8.9': 'SmtpUTF8Mailbox',
}

function otherName(content: Buffer): string {
  const [oid, wrapped] = readDerElements(content)
  if (!wrapped) throw new DerError()
  const type = readDerOid(oid)
  const value = readDerElement(wrapped.content)
  const isText = value.tag === derTags.utf8String || value.tag === derTags.ia5String
  const text = isText ? textOf(value.content) : '<unsupported>'
  return `othername: ${ownValue(knownOtherNames, type) ?? longNameOfOid(type)}::${text}`
}

function ipAddress(bytes: Buffer): string {
  if (bytes.length === 4) return [...bytes].join('.')
  if (bytes.length !== 16) return '<invalid>'
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2))
  return groups.map((group) => group.toString(16).toUpperCase()).join(':')
}

function accessDescriptions(value: DerElement): string[] {
  return membersOfDerElement(value).map((description) => {
    const [method, location] = membersOfDerElement(description)
    if (!location) throw new DerError()
    return `${longNameOfOid(readDerOid(method))} - ${generalName(location)}`
  })
}

const distributionReasons = [
  'Unused',
  'Key Compromise',
  'CA Compromise',
  'Affiliation Changed',
  'Superseded',
  'Cessation Of Operation',
  'Certificate Hold',
  'Privilege Withdrawn',
  'AA Compromise',
]

/**
 * Prints distribution points. OpenSSL starts no new line after names, so what follows is on the line of the
 * last name.
 */
function distributionPoints(value: DerElement): string[] {
  const points = membersOfDerElement(value).map((point) => {
    const members = membersOfDerElement(point)
    const [name, reasons, issuer] = [0, 1, 2].map((number) =>
      members.find(({ tag }) => (tag & 0x1f) === number),
    )
    const names = (content: Buffer) => indented(readDerElements(content).map(shownName)).join('\n')
    let text = ''
    const begin = () => (text === '' || text.endsWith('\n') ? '' : ' '.repeat(behind_name))
    if (name) {
      const choice = readDerElement(name.content)
      if ((choice.tag & 0x1f) !== 0) throw new DerError()
      text += `Full Name:\n${names(choice.content)}`
    }
    if (reasons) {
      const bits = { ...reasons, tag: derTags.bitString }
      text += `${begin()}Reasons:\n  ${namedBits(bits, distributionReasons)}\n`
    }
    if (issuer) text += `${begin()}CRL Issuer:\n${names(issuer.content)}`
    return text
  })
  return points.join('\n').split('\n')
}

/** The column in which the lines of extensions start. */
const behind_name = 16

const indented = (lines: string[]) => lines.map((line) => `  ${line}`)

function policies(value: DerElement): string[] {
  return membersOfDerElement(value).flatMap((policy) => {
    const [oid, qualifiers] = membersOfDerElement(policy)
    const lines = qualifiers ? membersOfDerElement(qualifiers).flatMap(qualifierLines) : []
    return [`Policy: ${longNameOfOid(readDerOid(oid))}`, ...indented(lines)]
  })
}

function qualifierLines(qualifier: DerElement): string[] {
  const [oidElement, value] = membersOfDerElement(qualifier)
  const oid = readDerOid(oidElement)
  if (!value) throw new DerError()
  if (oid === '1.3.6.1.5.5.7.2.1') return [`CPS: ${textOf(value.content)}`]
  if (oid !== '1.3.6.1.5.5.7.2.2') return [`Unknown Qualifier: ${longNameOfOid(oid)}`]
  const lines = ['User Notice:']
  for (const part of membersOfDerElement(value)) {
    if (part.tag !== derTags.sequence) {
      lines.push(`  Explicit Text: ${textOf(part.content)}`)
      continue
    }
    const [organization, numbers] = membersOfDerElement(part)
    const list = numbers ? membersOfDerElement(numbers).map(printNumber) : []
    lines.push(
      `  Organization: ${textOf(organization?.content ?? Buffer.alloc(0))}`,
      `  Number${list.length > 1 ? 's' : ''}: ${list.join(', ')}`,
    )
  }
  return lines
}

function policyConstraints(value: DerElement): string[] {
  const words = membersOfDerElement(value).map(({ tag, content }) => {
    const name = (tag & 0x1f) === 0 ? 'Require Explicit Policy' : 'Inhibit Policy Mapping'
    return `${name}:${printNumber({ tag: derTags.integer, content, bytes: content })}`
  })
  return [words.join(', ')]
}

function nameConstraints(value: DerElement): string[] {
  return membersOfDerElement(value).flatMap(({ tag, content }) => [
    (tag & 0x1f) === 0 ? 'Permitted:' : 'Excluded:',
    ...indented(
      readDerElements(content).map((subtree) => {
        const [base] = membersOfDerElement(subtree)
        if (!base) throw new DerError()
        return (base.tag & 0x1f) === 7 ? `IP:${network(base.content)}` : shownName(base)
      }),
    ),
  ])
}

function network(bytes: Buffer): string {
  const half = bytes.length / 2
  if (half !== 4 && half !== 16) return 'IP Address:<invalid>'
  return `${ipAddress(bytes.subarray(0, half))}/${ipAddress(bytes.subarray(half))}`
}

const months = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ')
const signatureNames: Record<string, string> = {
  '4-1': 'sha256WithRSAEncryption',
  '4-3': 'ecdsa-with-SHA256',
}

/** Prints signed certificate timestamps (RFC 6962, section 3.3). */
function timestamps(value: DerElement): string[] {
  const list = contentOf(value, derTags.octetString)
  if (list.length < 2 || list.readUInt16BE(0) !== list.length - 2) throw new DerError()
  const lines: string[] = []
  for (let at = 2; at < list.length; ) {
    if (at + 2 > list.length) throw new DerError()
    const end = at + 2 + list.readUInt16BE(at)
    if (end > list.length) throw new DerError()
    lines.push(...timestampLines(list.subarray(at + 2, end)))
    at = end
  }
  return lines
}

function timestampLines(sct: Buffer): string[] {
  if (sct.length < 43 || sct[0] !== 0) throw new DerError()
  const time = new Date(Number(sct.readBigUInt64BE(33)))
  const extensions_bytes = sct.readUInt16BE(41)
  const rest = sct.subarray(43 + extensions_bytes)
  if (rest.length < 4) throw new DerError()
  const signature = rest.subarray(4, 4 + rest.readUInt16BE(2))
  const [day = '', clock = ''] = time.toISOString().split('T')
  const [year = '', month = '', date = ''] = day.split('-')
  const shown = `${months[Number(month) - 1]} ${String(Number(date)).padStart(2)} ${clock.slice(0, 12)} ${Number(year)} GMT`
  const name =
    ownValue(signatureNames, `${rest[0]}-${rest[1]}`) ?? formatColonHex(rest.subarray(0, 2))
  const under = ' '.repeat(16)
  const block = (bytes: Buffer) =>
    formatHexLines(bytes, 16, 0)
      .map((line) => line.toUpperCase())
      .join(`\n${under}`)
      .split('\n')
  const [firstId = '', ...ids] = block(sct.subarray(1, 33))
  return [
    'Signed Certificate Timestamp:',
    '    Version   : v1 (0x0)',
    `    Log ID    : ${firstId}`,
    ...ids,
    `    Timestamp : ${shown}`,
    `    Extensions: ${extensions_bytes === 0 ? 'none' : upperHex(sct.subarray(43, 43 + extensions_bytes))}`,
    `    Signature : ${name}`,
    ...block(signature).map((line, at) => (at === 0 ? `${under}${line}` : line)),
  ]
}
