// Requests certificates automatically: new ones, and those that expire soon (docs/api/pages.md, "Automatic
// certificates").
import type { Instance } from '../../../http/endpoint.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { limits } from '../../../kernel/limits.ts'
import { sealSecret } from '../../../kernel/secrets.ts'
import { defineTask, enqueue, enqueueAll } from '../../../tasks/task.ts'
import { deleteAcmeChallengesBefore } from './acme.store.ts'
import { CertificateIssueError, issueCertificate } from './issue-certificate.ts'
import {
  findPagesDomainById,
  listPagesDomainsNeedingCertificate,
  updatePagesDomain,
} from './pages-domain.store.ts'
import { type PagesDomain, requiresDomainVerification } from './pages-domain.ts'
import { parsePemCertificates } from './read-certificate.ts'

type Uses = Pick<Instance, 'db' | 'clock' | 'config' | 'secretKey'>

const error_characters = 1000

/** Safe to repeat: a domain that has got its certificate in the meantime is left alone. */
const issueOne = defineTask({
  name: 'issue-pages-certificate',
  lane: 'domains',
  attempts_max: 10,
  async run(uses: Uses, { domain_id }: { domain_id: number }) {
    const { db, clock, secretKey } = uses
    const domain = await findPagesDomainById(db, domain_id)
    if (!domain || !(await wantsCertificate(uses, domain))) return
    try {
      const { certificate, key } = await issueCertificate(uses, domain)
      const [own] = parsePemCertificates(certificate) ?? []
      if (!own)
        throw new CertificateIssueError('The certificate authority sent an invalid certificate.')
      await updatePagesDomain(db, domain.id, {
        certificate,
        key: sealSecret(secretKey, key),
        certificate_source: 'automatic',
        not_before: own.validFromDate.toISOString(),
        not_after: own.validToDate.toISOString(),
        auto_ssl_error: null,
        updated_at: timestamp(clock),
      })
    } catch (error) {
      if (!(error instanceof CertificateIssueError)) throw error
      await updatePagesDomain(db, domain.id, {
        auto_ssl_failed: true,
        auto_ssl_error: error.message
          .replaceAll('\0', '')
          .toWellFormed()
          .slice(0, error_characters),
        updated_at: timestamp(clock),
      })
    }
  },
})

/**
 * Returns whether to request a certificate for a domain: the domain must be verified, no request may have
 * failed since the owner last enabled certificates, and its certificate must be missing, uploaded by the
 * owner, or about to expire.
 */
async function wantsCertificate(
  { db, clock, config }: Omit<Uses, 'secretKey'>,
  domain: PagesDomain,
): Promise<boolean> {
  const isOff = !config.acme || config.pages.port === undefined
  if (isOff || !domain.auto_ssl_enabled || domain.auto_ssl_failed) return false
  const now = timestamp(clock)
  const isServed = (domain.enabled_until ?? '') > now || !(await requiresDomainVerification(db))
  return (
    isServed && (domain.certificate_source === 'user' || (domain.not_after ?? '') < soon(clock))
  )
}

const soon = (clock: Clock) => new Date(clock().getTime() + limits.pages.renewal_ms).toISOString()

/** Enqueues issuing of a certificate if the domain needs one. */
export async function enqueueCertificateIfNeeded(
  uses: Omit<Uses, 'secretKey'>,
  domain: PagesDomain,
): Promise<void> {
  if (!(await wantsCertificate(uses, domain))) return
  await enqueue(uses.db, uses.clock, {
    task: issueOne,
    key: String(domain.id),
    payload: { domain_id: domain.id },
  })
}

/** Enqueues requests for certificates that are missing or about to expire. Runs periodically. */
async function renewCertificates({ db, clock, config }: Uses): Promise<void> {
  const answered_at = new Date(clock().getTime() - limits.pages.challenge_ms).toISOString()
  await deleteAcmeChallengesBefore(db, answered_at)
  if (!config.acme) return
  const domains = await listPagesDomainsNeedingCertificate(db, {
    before: soon(clock),
    now: (await requiresDomainVerification(db)) ? timestamp(clock) : undefined,
    limit: limits.pages.renewed_max,
  })
  await enqueueAll(db, clock, {
    task: issueOne,
    requests: domains.map(({ id }) => ({ key: String(id), payload: { domain_id: id } })),
  })
}

export const certificateTasks = [
  issueOne,
  defineTask({
    name: 'renew-pages-certificates',
    lane: 'expiry',
    every_ms: 60 * 60_000,
    run: renewCertificates,
  }),
]
