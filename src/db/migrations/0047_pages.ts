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
  pages_domains: { note: 'Custom domains of Pages sites.' },
  'pages_domains.domain': { note: 'As the owner spelled it. Unique regardless of case.' },
  'pages_domains.certificate': {
    note: 'PEM: the certificate of the domain, then the intermediate certificates.',
  },
  'pages_domains.key': { note: 'PEM, encrypted; see kernel/secrets.ts.' },
  'pages_domains.certificate_source': {
    type: "'user' | 'automatic'",
    note: 'Whether the owner uploaded the certificate or an authority issued it automatically.',
  },
  'pages_domains.verified_at': { note: 'Null if the last verification failed.' },
  'pages_domains.enabled_until': {
    note: 'The domain is served until then; null if it is not served.',
  },
  'pages_domains.remove_at': { note: 'The domain is removed then, unless it is verified before.' },
  'pages_domains.auto_ssl_error': {
    note: 'Why the authority did not issue a certificate. No further one is requested.',
  },
  pages_sites: { note: 'The Pages site of a project, from its newest `pages` job.' },
  'pages_sites.job_id': {
    note: 'A newer job replaces an older one. The job may have been deleted.',
  },
  'pages_sites.blob': {
    note: 'A zip file of the site. It does not depend on the artifact it was copied from.',
  },
  'pages_sites.root': { note: 'The folder of the zip file that is published, without slashes.' },
  pages_challenges: {
    note: 'Responses to HTTP challenges that an authority makes before it issues a certificate (RFC 8555).',
  },
  acme_accounts: { note: 'Accounts of this server at certificate authorities.' },
  'acme_accounts.key': { note: 'PEM, encrypted.' },
  pages_tickets: { note: 'Used sign-in tickets of visitors, until they expire.' },
}
