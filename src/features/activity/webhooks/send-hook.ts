// Sends one webhook call over HTTP, whatever its payload.
import { type IncomingMessage, request as requestPlain } from 'node:http'
import { request as requestSecure } from 'node:https'
import { limits } from '../../../kernel/limits.ts'
import { toStorableText } from '../../../kernel/storable.ts'
import {
  type AddressPolicy,
  createGuardedLookup,
  ensureHostAllowed,
} from '../../../outgoing/address-policy.ts'

export type WebhookHttpCall = {
  url: string
  headers: Readonly<Record<string, string>>
  body: Buffer
  verifiesCertificate: boolean
  reach: AddressPolicy
  /** Set by tests; the default is `limits.webhooks.answer_ms`. */
  answer_ms?: number
}
/** The response; a body that is too long, or that does not end in time, is cut. */
export type WebhookHttpAnswer = { status: number; headers: Record<string, string>; body: string }

/**
 * Sends the call and waits for the response. Redirects are not followed. Throws if there is no response in time, and for
 * a forbidden address.
 */
export function sendWebhookHttpCall(call: WebhookHttpCall): Promise<WebhookHttpAnswer> {
  const { url, headers, body, verifiesCertificate, reach } = call
  const { answer_ms = limits.webhooks.answer_ms } = call
  const parsed = new URL(url)
  const send = parsed.protocol === 'https:' ? requestSecure : requestPlain
  const signal = AbortSignal.timeout(answer_ms)
  return new Promise((resolve, reject) => {
    ensureHostAllowed(parsed, reach)
    const sent = send(
      parsed,
      {
        method: 'POST',
        headers: { ...headers, 'Content-Length': String(body.length) },
        signal,
        lookup: createGuardedLookup(reach),
        rejectUnauthorized: verifiesCertificate,
        // Each call uses a connection of its own, so that its address is checked.
        agent: false,
      },
      (got) => readAnswer(got).then(resolve, reject),
    )
    sent.on('error', (error) => {
      reject(signal.aborted ? new Error(`no answer within ${answer_ms / 1000} s`) : error)
    })
    sent.end(body)
  })
}

async function readAnswer(got: IncomingMessage): Promise<WebhookHttpAnswer> {
  const { statusCode = 0, rawHeaders } = got
  const chunks: Buffer[] = []
  let bytes = 0
  try {
    for await (const chunk of got) {
      chunks.push(chunk as Buffer)
      bytes += (chunk as Buffer).length
      if (bytes >= limits.webhooks.kept_answer_bytes) break
    }
  } catch {
    // The response counts even if its body breaks off. The received part is kept.
  }
  got.destroy()
  const body = Buffer.concat(chunks).subarray(0, limits.webhooks.kept_answer_bytes)
  return {
    status: statusCode,
    headers: headersOf(rawHeaders),
    body: toStorableText(body.toString()),
  }
}

/** Returns the headers with their names as sent, each once. */
function headersOf(raw: readonly string[]): Record<string, string> {
  const headers: [string, string][] = []
  for (let at = 0; at + 1 < raw.length; at += 2) headers.push([raw[at] ?? '', raw[at + 1] ?? ''])
  return Object.fromEntries(headers.map(([name, value]) => [name, toStorableText(value)]))
}
