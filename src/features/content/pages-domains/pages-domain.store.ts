import type { Insertable, Updateable } from 'kysely'
import type { Db, PagesDomainTable } from '../../../db/db.ts'
import { findViolatedIndex, lowerCaseExpression } from '../../../db/dialect.ts'
import { countRows } from '../../../db/paginate.ts'
import type { PagesDomain } from './pages-domain.ts'

type Range = { offset: number; per_page: number }

/** Returns one page of all domains in the order they were added. */
export async function listAllPagesDomains(
  db: Db,
  { offset, per_page }: Range,
): Promise<{ rows: PagesDomain[]; total: number | undefined }> {
  const query = db.selectFrom('pages_domains')
  const rows = await query.selectAll().orderBy('id').limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

/** Returns one page of a project's domains by name. */
export async function listPagesDomainsOfProject(
  db: Db,
  project_id: number,
  { offset, per_page }: Range,
): Promise<{ rows: PagesDomain[]; total: number | undefined }> {
  const query = db.selectFrom('pages_domains').where('project_id', '=', project_id)
  const rows = await query.selectAll().orderBy('domain').limit(per_page).offset(offset).execute()
  return { rows, total: await countRows(db, query.select('id')) }
}

export function findPagesDomain(
  db: Db,
  { project_id, domain }: { project_id: number; domain: string },
): Promise<PagesDomain | undefined> {
  return db
    .selectFrom('pages_domains')
    .selectAll()
    .where('project_id', '=', project_id)
    .where(lowerCaseExpression('domain'), '=', domain.toLowerCase())
    .executeTakeFirst()
}

export function findPagesDomainById(db: Db, id: number): Promise<PagesDomain | undefined> {
  return db.selectFrom('pages_domains').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Whether the project has that many domains. */
export async function hasPagesDomainsAtLeast(
  db: Db,
  project_id: number,
  count: number,
): Promise<boolean> {
  const row = await db
    .selectFrom('pages_domains')
    .select('id')
    .where('project_id', '=', project_id)
    .orderBy('domain')
    .offset(count - 1)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether a project's site is served only over HTTPS. */
export async function isPagesHttpsOnly(db: Db, project_id: number): Promise<boolean> {
  const { pages_https_only } = await db
    .selectFrom('projects')
    .select('pages_https_only')
    .where('id', '=', project_id)
    .executeTakeFirstOrThrow()
  return pages_https_only
}

/** Inserts a domain; returns undefined if the name is taken. */
export async function insertPagesDomain(
  tx: Db,
  domain: Insertable<PagesDomainTable>,
): Promise<PagesDomain | undefined> {
  try {
    return await tx.insertInto('pages_domains').values(domain).returningAll().executeTakeFirst()
  } catch (error) {
    if (findViolatedIndex(error) === 'pages_domains_domain') return undefined
    throw error
  }
}

/** Returns the changed row; undefined if it was deleted. */
export function updatePagesDomain(
  db: Db,
  id: number,
  changes: Updateable<PagesDomainTable>,
): Promise<PagesDomain | undefined> {
  return db
    .updateTable('pages_domains')
    .set(changes)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

export async function deletePagesDomain(tx: Db, id: number): Promise<void> {
  await tx.deleteFrom('pages_domains').where('id', '=', id).execute()
}

/** Returns domains that are due for verification: unverified, or not valid for much longer. Ordered by id. */
export function listPagesDomainsToVerify(
  db: Db,
  { before, after_id, limit }: { before: string; after_id: number; limit: number },
): Promise<Pick<PagesDomain, 'id'>[]> {
  return db
    .selectFrom('pages_domains')
    .select('id')
    .where('id', '>', after_id)
    .where((eb) =>
      eb.or([
        eb('enabled_until', 'is', null),
        eb('enabled_until', '<', before),
        eb('verified_at', 'is', null),
      ]),
    )
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Deletes domains that were not verified in time. */
export async function deleteUnverifiedPagesDomains(tx: Db, now: string): Promise<void> {
  await tx
    .deleteFrom('pages_domains')
    .where('remove_at', '<=', now)
    .where('enabled_until', 'is', null)
    .execute()
}

/**
 * Returns domains with automatic certificates whose certificate is missing, was uploaded by the owner, or is about to
 * expire; with `now` only those that are verified at that time.
 */
export function listPagesDomainsNeedingCertificate(
  db: Db,
  { before, now, limit }: { before: string; now: string | undefined; limit: number },
): Promise<Pick<PagesDomain, 'id'>[]> {
  return db
    .selectFrom('pages_domains')
    .select('id')
    .where('auto_ssl_enabled', '=', true)
    .where('auto_ssl_failed', '=', false)
    .$if(now !== undefined, (query) => query.where('enabled_until', '>', now ?? ''))
    .where((eb) =>
      eb.or([
        eb('not_after', 'is', null),
        eb('not_after', '<', before),
        eb('certificate_source', '=', 'user'),
      ]),
    )
    .orderBy('not_after')
    .orderBy('id')
    .limit(limit)
    .execute()
}
