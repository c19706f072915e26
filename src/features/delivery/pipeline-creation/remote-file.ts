// Fetches a configuration file from another server. Disabled by default, since it makes this server request any URL that
// a configuration names.
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import type { Config } from '../../../config.ts'
import { limits } from '../../../kernel/limits.ts'
import {
  type AddressPolicy,
  allowAnyAddress,
  allowPublicAddresses,
  createGuardedLookup,
  ensureHostAllowed,
} from '../../../outgoing/address-policy.ts'

type Read = { text: string } | { problem: string }

const time_ms_max = 10_000
const redirects_max = 3

/** Returns the text at a URL, or the message for clients if it cannot be fetched. */
export async function fetchRemoteConfigFile(
  { remoteIncludes }: Config,
  url: string,
): Promise<Read> {
  if (remoteIncludes === 'off') return problemWith(url, 'remote files are switched off')
  try {
    let at = url
    for (let redirects = 0; redirects <= redirects_max; redirects++) {
      const answer = await ask(
        at,
        remoteIncludes === 'any' ? allowAnyAddress : allowPublicAddresses,
      )
      if ('text' in answer) return answer
      at = new URL(answer.location, at).href
    }
    return problemWith(url, 'it was sent on too often')
  } catch (error) {
    return problemWith(url, (error as Error).message)
  }
}

function problemWith(url: string, reason: string): Read {
  return { problem: `Remote file \`${url}\` could not be fetched: ${reason}.` }
}

type Answer = { text: string } | { location: string }

function ask(url: string, reach: AddressPolicy): Promise<Answer> {
  const { protocol, hostname } = URL.parse(url) ?? { protocol: '', hostname: '' }
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error('it has no web address')
  ensureHostAllowed({ hostname }, reach)
  const send = protocol === 'https:' ? requestSecure : requestPlain
  const signal = AbortSignal.timeout(time_ms_max)
  return new Promise((resolve, reject) => {
    const sent = send(url, { signal, lookup: createGuardedLookup(reach), agent: false }, (got) =>
      readAnswer(got).then(resolve, reject),
    )
    sent.on('error', (error) => reject(signal.aborted ? new Error('it took too long') : error))
    sent.end()
  })
}

async function readAnswer(got: IncomingMessage): Promise<Answer> {
  const { statusCode = 0, headers } = got
  if (statusCode >= 300 && statusCode < 400 && headers.location) {
    got.destroy()
    return { location: headers.location }
  }
  if (statusCode !== 200) {
    got.destroy()
    throw new Error(`it was answered with ${statusCode}`)
  }
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of got) {
    bytes += (chunk as Buffer).length
    if (bytes > limits.ci.file_bytes) throw new Error('it is too large')
    chunks.push(chunk as Buffer)
  }
  return { text: Buffer.concat(chunks).toString('utf8') }
}
