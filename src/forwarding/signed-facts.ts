// The description of a forwarded request, signed with the key that all servers share.
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Clock } from '../kernel/clock.ts'

/** The name of the header, in lower case as Node reports it. */
export const factsHeader = 'bloomery-forwarded'

/** All servers use the time of the database, and a request takes far less than this. */
const age_ms_max = 60_000

type Signing = { secretKey: Buffer; clock: Clock }

/** Returns a header for one request: `facts` and the time, signed together with the method and the URL. */
export function signFacts(
  { secretKey, clock }: Signing,
  { method, url, facts }: { method: string; url: string; facts: object },
): string {
  const text = JSON.stringify({ ...facts, at_ms: clock().getTime() })
  const claims = Buffer.from(text).toString('base64url')
  return `${claims}.${sign(secretKey, { method, url, claims }).toString('base64url')}`
}

/** Returns the facts in a header; undefined if they belong to another request, are too old, or have a wrong signature. */
export function verifyFacts<Facts extends object>(
  { secretKey, clock }: Signing,
  { method, url, header }: { method: string; url: string; header: string },
): Facts | undefined {
  const [claims = '', signature = ''] = header.split('.')
  const given = Buffer.from(signature, 'base64url')
  const wanted = sign(secretKey, { method, url, claims })
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) return undefined
  const { at_ms, ...facts } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'))
  const isFresh = Math.abs(clock().getTime() - at_ms) <= age_ms_max
  return isFresh ? (facts as Facts) : undefined
}

function sign(
  secretKey: Buffer,
  { method, url, claims }: { method: string; url: string; claims: string },
): Buffer {
  return createHmac('sha256', secretKey)
    .update(`forwarded request\0${method}\0${url}\0${claims}`)
    .digest()
}
