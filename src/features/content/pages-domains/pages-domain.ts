// Public functions of Pages domains: which domain a request or connection is for, and whether it is served.
import type { Selectable } from 'kysely'
import { defineRowLoader } from '../../../db/compiled-query.ts'
import type { Db, PagesDomainTable } from '../../../db/db.ts'
import { lowerCaseExpression } from '../../../db/dialect.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import { readSettingOrDefault } from '../../basics/settings/setting.ts'

export type PagesDomain = Selectable<PagesDomainTable>

const domainByName = defineRowLoader((db, { domain }: { domain: string }) =>
  db
    .selectFrom('pages_domains')
    .select(['id', 'project_id', 'enabled_until', 'certificate', 'key'])
    .where(lowerCaseExpression('domain'), '=', domain),
)

export type ServedPagesDomain = NonNullable<Awaited<ReturnType<typeof domainByName>>>

/**
 * Returns the domain with that name (lower case) if it is served: it is verified, or verification is disabled
 * (docs/api/pages.md, "Verification").
 */
export async function findServedPagesDomain(
  db: Db,
  { domain, now }: { domain: string; now: string },
): Promise<ServedPagesDomain | undefined> {
  const found = await domainByName(db, { domain })
  if (!found) return undefined
  const isEnabled = found.enabled_until !== null && found.enabled_until > now
  return isEnabled || !(await requiresDomainVerification(db)) ? found : undefined
}

/** Whether a domain is served only after its owner has verified it. */
export function requiresDomainVerification(db: Db): Promise<boolean> {
  return readSettingOrDefault(db, 'pages_domain_verification_enabled')
}

/** Returns the certificate and the decrypted key of a domain; undefined if it has none. */
export function decryptCertificate(
  secretKey: Buffer,
  { certificate, key }: Pick<PagesDomain, 'certificate' | 'key'>,
): { cert: string; key: string } | undefined {
  if (certificate === null || key === null) return undefined
  return { cert: certificate, key: openSecret(secretKey, key) }
}

/** The maximum number of domains that are listed for one page of sites. */
const listed_domains_max = 1_000

/** Returns the names of the domains of these projects, by project. */
export async function findPagesDomainNamesByProject(
  db: Db,
  project_ids: readonly number[],
): Promise<Map<number, { domain: string; verified: boolean }[]>> {
  const rows = await db
    .selectFrom('pages_domains')
    .select(['project_id', 'domain', 'verified_at'])
    .where('project_id', 'in', [0, ...project_ids])
    .orderBy('domain')
    .limit(listed_domains_max)
    .execute()
  return Map.groupBy(
    rows.map(({ verified_at, ...row }) => ({ ...row, verified: verified_at !== null })),
    ({ project_id }) => project_id,
  )
}

/** Whether every domain of a project can be served over HTTPS. */
export async function haveAllPagesDomainsCertificates(
  db: Db,
  project_id: number,
): Promise<boolean> {
  const without = await db
    .selectFrom('pages_domains')
    .select('id')
    .where('project_id', '=', project_id)
    .where('certificate', 'is', null)
    .where('auto_ssl_enabled', '=', false)
    .limit(1)
    .executeTakeFirst()
  return without === undefined
}

const challengeByToken = defineRowLoader(
  (db, { token, domain }: { token: string; domain: string }) =>
    db
      .selectFrom('pages_challenges')
      .innerJoin('pages_domains', 'pages_domains.id', 'pages_challenges.domain_id')
      .select('pages_challenges.answer')
      .where('pages_challenges.token', '=', token)
      .where(lowerCaseExpression('pages_domains.domain'), '=', domain),
)

/** Returns the response to an authority that requests that token at that domain (RFC 8555, section 8.3). */
export async function findAcmeChallengeAnswer(
  db: Db,
  by: { token: string; domain: string },
): Promise<string | undefined> {
  return (await challengeByToken(db, by))?.answer
}
