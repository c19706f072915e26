import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
type AnyDb = Kysely<any>

/** Sites that jobs publish, the domains they have, and how domains get certificates. */
export async function up(db: AnyDb): Promise<void> {
  await makeDomains(db)
  await db.schema
    .createTable('pages_sites')
    .addColumn('project_id', 'bigint', (c) =>
      c.primaryKey().references('projects.id').onDelete('cascade'),
    )
    .addColumn('job_id', 'bigint', (c) => c.notNull())
    .addColumn('blob', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('root', 'text', (c) => c.notNull())
    .addColumn('files', 'integer', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema
    .alterTable('projects')
    .addColumn('pages_https_only', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
  await db.schema
    .createTable('pages_challenges')
    .addColumn('token', 'text', (c) => c.primaryKey())
    .addColumn('domain_id', 'bigint', (c) =>
      c.notNull().references('pages_domains.id').onDelete('cascade'),
    )
    .addColumn('answer', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create index pages_challenges_domain on pages_challenges (domain_id)`.execute(db)
  await db.schema
    .createTable('acme_accounts')
    .addColumn('directory', 'text', (c) => c.primaryKey())
    .addColumn('key', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema
    .createTable('pages_tickets')
    .addColumn('digest', 'text', (c) => c.primaryKey())
    .addColumn('expires_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create index pages_tickets_expires on pages_tickets (expires_at)`.execute(db)
}

async function makeDomains(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('pages_domains')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('domain', 'text', (c) => c.notNull())
    .addColumn('certificate', 'text')
    .addColumn('key', 'text')
    .addColumn('certificate_source', 'text', (c) => c.notNull().defaultTo('user'))
    .addColumn('not_before', 'timestamptz')
    .addColumn('not_after', 'timestamptz')
    .addColumn('verification_code', 'text', (c) => c.notNull())
    .addColumn('verified_at', 'timestamptz')
    .addColumn('enabled_until', 'timestamptz')
    .addColumn('remove_at', 'timestamptz')
    .addColumn('auto_ssl_enabled', 'boolean', (c) => c.notNull())
    .addColumn('auto_ssl_failed', 'boolean', (c) => c.notNull().defaultTo(false))
    .addColumn('auto_ssl_error', 'text')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await sql`create unique index pages_domains_domain on pages_domains (lower(domain))`.execute(db)
  await sql`create index pages_domains_project on pages_domains (project_id, domain)`.execute(db)
  await sql`create index pages_domains_enabled on pages_domains (enabled_until, id)`.execute(db)
  await sql`create index pages_domains_ssl on pages_domains (not_after, id)
    where auto_ssl_enabled`.execute(db)
}

export const meanings: SchemaMeanings = {
  pages_domains: { note: 'Domains of sites beside the address each site has.' },
  'pages_domains.domain': { note: 'As its owner spelt it; unique whatever the case.' },
  'pages_domains.certificate': { note: 'PEM: its own, then those between it and an authority.' },
  'pages_domains.key': { note: 'PEM, sealed; see kernel/secrets.ts.' },
  'pages_domains.certificate_source': {
    type: "'user' | 'automatic'",
    note: 'Who the certificate is from: its owner, or the authority that is asked by itself.',
  },
  'pages_domains.verified_at': { note: 'Null where the last look found nothing.' },
  'pages_domains.enabled_until': { note: 'Served until then; null where it is not.' },
  'pages_domains.remove_at': { note: 'Goes then, if nothing verifies it before.' },
  'pages_domains.auto_ssl_error': { note: 'Why an authority issued nothing; none is asked again.' },
  pages_sites: { note: 'The site of a project, as its last `pages` job has made it.' },
  'pages_sites.job_id': { note: 'A later job replaces an earlier one. It may be gone.' },
  'pages_sites.blob': { note: 'A zip of its own; the artifact it was may go.' },
  'pages_sites.root': { note: 'The folder of the archive that is the site, without slashes.' },
  pages_challenges: { note: 'What authorities ask for at a domain while they issue (RFC 8555).' },
  acme_accounts: { note: 'How this server is known to an authority.' },
  'acme_accounts.key': { note: 'PEM, sealed.' },
  pages_tickets: { note: 'Tickets of visitors that were used, until they would have ended.' },
}
