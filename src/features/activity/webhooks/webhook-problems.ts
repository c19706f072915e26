// Validation of webhooks, and the parts of their URL that are stored separately.
import { isIP } from 'node:net'
import { branchRef } from '../../../git/names.ts'
import { unprocessable, unprocessableParameter } from '../../../kernel/errors.ts'
import { limits } from '../../../kernel/limits.ts'
import { type AddressPolicy, hostOfUrl } from '../../../outgoing/address-policy.ts'

/**
 * Returns the URL without its username and password, and these. Throws 422 for an address that webhooks may not call. Host
 * names are resolved when the webhook is called.
 */
export function parseWebhookUrl(
  text: string,
  reach: AddressPolicy,
): { url: string; credentials: string | undefined } {
  const given = text.trim()
  const url = given.length > limits.webhooks.url_characters ? null : URL.parse(given)
  if (!url || !['http:', 'https:'].includes(url.protocol) || url.hostname === '') throw wrongUrl()
  const host = hostOfUrl(url)
  const loopback = host === 'localhost' || host.endsWith('.localhost')
  const address = loopback ? '127.0.0.1' : host
  if (isIP(address) !== 0 && !reach(address, host)) throw wrongUrl()
  if (url.username === '' && url.password === '') return { url: given, credentials: undefined }
  const credentials = `${decode(url.username)}:${decode(url.password)}`
  url.username = ''
  url.password = ''
  return { url: url.href, credentials }
}

function wrongUrl() {
  return unprocessableParameter('Invalid url given')
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Throws 422 for a filter that no branch name can match; `*` matches anything. */
export function checkWebhookBranchFilter(filter: string | null | undefined): void {
  if (!filter) return
  const isTooLong = filter.length > limits.name_characters
  if (isTooLong || !branchRef(filter.replaceAll('*', 'x'))) {
    throw unprocessableParameter('Invalid branch filter given')
  }
}

/** Throws 422 for a token that cannot be sent in a header. */
export function checkWebhookToken(token: string | null | undefined): void {
  if (!token) return
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
  if (/[\x00-\x1f\x7f]/.test(token)) throw unprocessable({ token: ['is invalid'] })
  const maximum = limits.webhooks.token_characters
  if (token.length > maximum) {
    throw unprocessable({ token: [`is too long (maximum is ${maximum} characters)`] })
  }
}
