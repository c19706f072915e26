import { preconditionFailed } from '../kernel/errors.ts'
import type { RequestFacts } from './endpoint.ts'

/** Throws 412 if the record changed after `If-Unmodified-Since` (RFC 9110, section 13.1.4). */
export function checkIfUnmodifiedSince(
  { headers }: RequestFacts,
  updatedAt: string | undefined,
): void {
  const since = headers['if-unmodified-since']
  if (typeof since !== 'string' || updatedAt === undefined) return
  const since_ms = Date.parse(since)
  // The header counts whole seconds.
  if (!Number.isNaN(since_ms) && Math.floor(Date.parse(updatedAt) / 1000) * 1000 > since_ms) {
    throw preconditionFailed()
  }
}

/** Whether `If-None-Match` names the tag (RFC 9110, section 13.1.2: weak comparison). */
export function isMatchingEtag(header: string | string[] | undefined, tag: string): boolean {
  if (typeof header !== 'string') return false
  const opaque = (text: string) => text.trim().replace(/^W\//, '')
  return header.split(',').some((item) => item.trim() === '*' || opaque(item) === opaque(tag))
}
