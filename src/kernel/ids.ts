import { hash, randomBytes, randomInt, randomUUID } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** Returns `length` random characters from a URL-safe alphabet of 64, six bits each. */
export function randomText(length: number): string {
  let text = ''
  for (const byte of randomBytes(length)) text += alphabet[byte & 63]
  return text
}

/** Returns `length` random lower-case hex digits, four bits each. */
export function randomHex(length: number): string {
  return randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length)
}

const plainLetters = 'BCDFGHJKLMNPQRSTVWXZ'

/**
 * Returns `length` random capital letters, chosen so that they spell no words and are not confused with one another (RFC
 * 8628, section 6.1).
 */
export function randomCapitalLetters(length: number): string {
  return Array.from({ length }, () => plainLetters[randomInt(plainLetters.length)]).join('')
}

/** Returns the text of a new personal access token: a prefix that secret scanners know, and 26 characters (156 bits). */
export function newPersonalTokenText(): string {
  return `glpat-${randomText(26)}`
}

/** Whether a text has the prefix of a personal access token. */
export function isPersonalTokenText(text: string): boolean {
  return text.startsWith('glpat-')
}

/** Returns the token of a running job: a prefix that secret scanners know, and 26 characters. */
export function newJobToken(): string {
  return `glcbt-${randomText(26)}`
}

/** Whether a text has the prefix of a job token. */
export function isJobToken(text: string): boolean {
  return text.startsWith('glcbt-')
}

/** Returns the text of a deploy token: a prefix that secret scanners know, and 26 characters. */
export function newDeployToken(): string {
  return `gldt-${randomText(26)}`
}

/** Whether a text has the prefix of a deploy token. */
export function isDeployToken(text: string): boolean {
  return text.startsWith('gldt-')
}

/** Returns the SHA-256 of a token in hex, which is stored instead of the token. Tokens are random, so no salt is needed. */
export function digestToken(token: string): string {
  return hash('sha256', token)
}

export function newRequestId(): string {
  return randomUUID()
}
