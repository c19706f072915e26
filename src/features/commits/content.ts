import { invalid } from '../../kernel/errors.ts'
import { trimEndOf } from '../../kernel/trim.ts'

/** The bytes a client means by `content` and `encoding`; 400 for Base64 that is none. */
export function decodeContent(content: string, encoding: 'text' | 'base64' = 'text'): Buffer {
  if (encoding === 'text') return Buffer.from(content, 'utf8')
  const compact = /\s/.test(content) ? content.replace(/\s+/g, '') : content
  const bytes = Buffer.from(compact, 'base64')
  // Node drops what it cannot decode; whatever does not come back the same was no Base64.
  const isSound = trimEndOf(compact, '=').length === Math.ceil((bytes.length * 8) / 6)
  if (!isSound || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact)) throw invalid('invalid base64')
  return bytes
}
