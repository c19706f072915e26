import { hash, randomBytes, randomInt, randomUUID } from 'node:crypto'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'

/** `length` characters from a URL-safe alphabet of 64, six random bits each. */
export function randomText(length: number): string {
  let text = ''
  for (const byte of randomBytes(length)) text += alphabet[byte & 63]
  return text
}

/** `length` lower-case hex digits, four random bits each. */
export function randomHex(length: number): string {
  return randomBytes(Math.ceil(length / 2))
    .toString('hex')
    .slice(0, length)
}

const plainLetters = 'BCDFGHJKLMNPQRSTVWXZ'

/** `length` capital letters that spell no words and are not taken for one another (RFC 8628, section 6.1). */
export function randomCapitalLetters(length: number): string {
  return Array.from({ length }, () => plainLetters[randomInt(plainLetters.length)]).join('')
}

/** The text of a new personal access token: a prefix scanners know, and 26 characters (156 bits). */
export function newPersonalTokenText(): string {
  return `glpat-${randomText(26)}`
}

/** Whether a text was meant for a personal access token, by its prefix. */
export function isPersonalTokenText(text: string): boolean {
  return text.startsWith('glpat-')
}

/** The token of a job that runs: a prefix scanners know, and 26 characters. */
export function newJobToken(): string {
  return `glcbt-${randomText(26)}`
}

/** Whether a text was meant for the token of a job, by its prefix. */
export function isJobToken(text: string): boolean {
  return text.startsWith('glcbt-')
}

/** The text of a deploy token: a prefix scanners know, and 26 characters. */
export function newDeployToken(): string {
  return `gldt-${randomText(26)}`
}

/** Whether a text was meant for a deploy token, by its prefix. */
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
