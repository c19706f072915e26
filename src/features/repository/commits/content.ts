import { setImmediate } from 'node:timers/promises'
import { LongText } from '../../../http/long-text.ts'
import { invalid } from '../../../kernel/errors.ts'

/** Decodes `content` by its `encoding`. Throws 400 for invalid Base64. Other work gets turns while a long text is decoded. */
export async function decodeFileContent(
  content: string | LongText,
  encoding: 'text' | 'base64' = 'text',
): Promise<Buffer> {
  if (encoding === 'base64') {
    return content instanceof LongText
      ? decodeBase64(content.take(), content.bytes)
      : decodeBase64([Buffer.from(content, 'utf8')], content.length)
  }
  return content instanceof LongText ? Buffer.concat([...content.take()]) : Buffer.from(content)
}

const padding = 0x3d

/**
 * Decodes Base64 (RFC 4648, section 4), which may contain white space and lack its padding. Pieces are
 * decoded one after another in groups of four characters, so that the whole text is never copied.
 */
async function decodeBase64(pieces: Iterable<Buffer>, bytes_max: number): Promise<Buffer> {
  const decoded = Buffer.allocUnsafe(Math.ceil(bytes_max / 4) * 3)
  let length = 0
  let rest = ''
  let isPadded = false
  for (const piece of pieces) {
    const text = rest + piece.toString('latin1').replace(/[ \t\n\v\f\r]/g, '')
    if (text === '') continue
    if (isPadded) throw invalid('invalid base64')
    const whole = text.length - (text.length % 4)
    rest = text.slice(whole)
    isPadded = text.charCodeAt(whole - 1) === padding
    length += writeBase64(decoded, length, text.slice(0, whole))
    await setImmediate()
  }
  if (rest !== '' && isPadded) throw invalid('invalid base64')
  length += writeBase64(decoded, length, rest)
  return decoded.subarray(0, length)
}

/**
 * Throws 400 for a character outside Base64, and for a single leftover character, which encodes no whole
 * byte.
 */
function writeBase64(decoded: Buffer, at: number, text: string): number {
  const end = text.endsWith('==') ? -2 : text.endsWith('=') ? -1 : text.length
  const digits = text.slice(0, end)
  if (/[^A-Za-z0-9+/]/.test(digits) || digits.length % 4 === 1) throw invalid('invalid base64')
  return decoded.write(digits, at, 'base64')
}
