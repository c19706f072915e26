import { preconditionFailed } from '../kernel/errors.ts'
import type { RequestFacts } from './endpoint.ts'

/** 412 when the record changed after `If-Unmodified-Since` (RFC 9110, section 13.1.4). */
export function checkUnmodified({ headers }: RequestFacts, updatedAt: string | undefined): void {
  const since = headers['if-unmodified-since']
  if (typeof since !== 'string' || updatedAt === undefined) return
  const since_ms = Date.parse(since)
  // The header counts whole seconds.
  if (!Number.isNaN(since_ms) && Math.floor(Date.parse(updatedAt) / 1000) * 1000 > since_ms) {
    throw preconditionFailed()
  }
}
