import type { Insertable } from 'kysely'
import type { Db, PagesSiteTable } from '../../../db/db.ts'
import { countRows } from '../../../db/paginate.ts'

/** Returns the successful jobs that may have built a site, with their options. */
export function filterPagesJobs(
  db: Db,
  jobIds: readonly number[],
): Promise<{ id: number; name: string; options: unknown }[]> {
  return db
    .selectFrom('jobs')
    .innerJoin('job_specs', 'job_specs.job_id', 'jobs.id')
    .select(['jobs.id', 'jobs.name', 'job_specs.options'])
    .where('jobs.id', 'in', [...jobIds])
    .where('jobs.kind', '=', 'build')
    .execute()
}

/** Returns how the site of a project is served, and its site if there is one; one query. */
export async function findPagesSiteSettings(db: Db, project_id: number) {
  const row = await db
    .selectFrom('projects')
    .leftJoin('pages_sites', 'pages_sites.project_id', 'projects.id')
    .select([
      'projects.pages_https_only',
      'projects.pages_access_level',
      'pages_sites.created_at',
      'pages_sites.root',
    ])
    .where('projects.id', '=', project_id)
    .executeTakeFirst()
  if (!row) return undefined
  const { created_at, root } = row
  return {
    isHttpsOnly: row.pages_https_only,
    isDisabled: row.pages_access_level === 'disabled',
    site: created_at === null || root === null ? undefined : { created_at, root },
  }
}

/**
 * Makes this the site of the project, unless a newer job has published one. Returns the blob of the replaced site, null if
 * there was none, undefined if the newer one is kept.
 */
export async function replacePagesSiteIfNewer(
  tx: Db,
  site: Insertable<PagesSiteTable>,
): Promise<string | null | undefined> {
  const { project_id, ...fields } = site
  // The update locks the project, so that concurrent deployments wait even if there is no site yet.
  await tx
    .updateTable('projects')
    .set((eb) => ({ pages_https_only: eb.ref('pages_https_only') }))
    .where('id', '=', project_id)
    .execute()
  const before = await tx
    .selectFrom('pages_sites')
    .select('blob')
    .where('project_id', '=', project_id)
    .executeTakeFirst()
  const switched = await tx
    .insertInto('pages_sites')
    .values(site)
    .onConflict((conflict) =>
      conflict
        .column('project_id')
        .doUpdateSet(fields)
        .where('pages_sites.job_id', '<=', site.job_id),
    )
    .returning('project_id')
    .executeTakeFirst()
  return switched ? (before?.blob ?? null) : undefined
}

/** Deletes a site; returns its blob. */
export async function deletePagesSite(tx: Db, project_id: number): Promise<string | undefined> {
  const row = await tx
    .deleteFrom('pages_sites')
    .where('project_id', '=', project_id)
    .returning('blob')
    .executeTakeFirst()
  return row?.blob
}

export async function setPagesHttpsOnly(
  tx: Db,
  { project_id, isOn }: { project_id: number; isOn: boolean },
): Promise<void> {
  await tx
    .updateTable('projects')
    .set({ pages_https_only: isOn })
    .where('id', '=', project_id)
    .execute()
}

/** Whether a project can have a Pages site. */
export async function isPagesEnabled(db: Db, project_id: number): Promise<boolean> {
  const row = await db
    .selectFrom('projects')
    .select('pages_access_level')
    .where('id', '=', project_id)
    .where('state', '=', 'ready')
    .executeTakeFirst()
  return row !== undefined && row.pages_access_level !== 'disabled'
}

/** Returns one page of all sites, most recently published first. */
export async function listPagesSites(
  db: Db,
  { offset, per_page }: { offset: number; per_page: number },
) {
  const sites = db
    .selectFrom('pages_sites')
    .innerJoin('projects', 'projects.id', 'pages_sites.project_id')
    .where('projects.state', '=', 'ready')
  const rows = await sites
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .select([
      'projects.id',
      'projects.name',
      'projects.path',
      'projects.description',
      'projects.created_at',
      'projects.pages_access_level',
      'projects.pages_https_only',
      'namespaces.full_path',
      'namespaces.full_name',
      'pages_sites.size',
      'pages_sites.files',
      'pages_sites.created_at as deployed_at',
    ])
    .orderBy('pages_sites.created_at', 'desc')
    .orderBy('pages_sites.project_id', 'desc')
    .limit(per_page)
    .offset(offset)
    .execute()
  return { rows, total: await countRows(db, sites.select('projects.id')) }
}
