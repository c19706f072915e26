// Verifies the owner of a domain by a DNS record with a secret code (docs/api/pages.md, "Verification").

import { Resolver } from 'node:dns/promises'
import type { Config } from '../../../config.ts'
import { verificationRecord } from '../../../http/brand.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { FairLimiter } from '../../../kernel/fair-limiter.ts'
import { limits } from '../../../kernel/limits.ts'
import { enqueueCertificateIfNeeded } from './certificate.tasks.ts'
import { updatePagesDomain } from './pages-domain.store.ts'
import { type PagesDomain, requiresDomainVerification } from './pages-domain.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config'>

const checks = new FairLimiter(limits.pages.checks)

/**
 * Checks the DNS record of a domain and stores the result. A verified domain stays valid for the rest of its period; then it
 * is disabled, and removed a week later. Do not call it within a transaction.
 */
export async function verifyPagesDomain(
  uses: Uses,
  before: PagesDomain,
): Promise<{ row: PagesDomain | undefined; problem?: string }> {
  const { db, clock, config } = uses
  const now = timestamp(clock)
  const later = (span_ms: number) => new Date(clock().getTime() + span_ms).toISOString()
  const { verified_ms, unverified_ms } = limits.pages
  if (
    !(await requiresDomainVerification(db)) ||
    (await checks.run(() => hasRecord(config, before)))
  ) {
    const until = later(verified_ms)
    const row = await updatePagesDomain(db, before.id, {
      verified_at: now,
      enabled_until: (before.enabled_until ?? '') > until ? before.enabled_until : until,
      remove_at: null,
      updated_at: now,
    })
    if (row) await enqueueCertificateIfNeeded(uses, row)
    return { row }
  }
  const isOver = before.enabled_until !== null && before.enabled_until <= now
  const row = await updatePagesDomain(db, before.id, {
    verified_at: null,
    ...(isOver ? { enabled_until: null, remove_at: later(unverified_ms) } : {}),
    updated_at: now,
  })
  const disabled = isOver ? '. It is now disabled.' : ''
  return { row, problem: `Couldn't verify ${before.domain}${disabled}` }
}

/** Returns whether a TXT record of the domain, or of its verification name, contains the code. */
async function hasRecord(
  { dnsServers }: Config,
  { domain, verification_code }: PagesDomain,
): Promise<boolean> {
  const { lookup_ms, lookups_max } = limits.pages
  const resolver = new Resolver({ timeout: lookup_ms, tries: lookups_max })
  if (dnsServers.length > 0) resolver.setServers(dnsServers)
  const { names, texts } = verificationRecord(domain, verification_code)
  const wanted = new Set([...texts, verification_code])
  const answers = names.map((name) => resolver.resolveTxt(name).catch(whenUnanswered))
  const records = (await Promise.all(answers)).flat()
  const words = records.flatMap((chunks) => chunks.join('').split(/\s/))
  return words.some((word) => wanted.has(word))
}

/** Returns no records if the name does not exist or the DNS server does not respond. */
function whenUnanswered(error: NodeJS.ErrnoException): string[][] {
  if (error.syscall?.startsWith('query') || error.code === 'EBADNAME') return []
  throw error
}
