// Public functions of releases: finds the release of a tag.
import type { Selectable } from 'kysely'
import type { Db, ReleaseTable } from '../../../db/db.ts'

export type Release = Selectable<ReleaseTable>

export function findRelease(db: Db, project_id: number, tag: string): Promise<Release | undefined> {
  return db
    .selectFrom('releases')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('tag', '=', tag)
    .executeTakeFirst()
}

/** Returns the newest release of a project whose release date has passed. */
export function findLatestRelease(
  db: Db,
  { project_id, now }: { project_id: number; now: string },
): Promise<Release | undefined> {
  return db
    .selectFrom('releases')
    .selectAll()
    .where('project_id', '=', project_id)
    .where('released_at', '<=', now)
    .orderBy('released_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Returns the target of the link with that path below `downloads`; undefined for an unknown path. */
export async function findReleaseDownloadUrl(
  db: Db,
  release: Release,
  filepath: string,
): Promise<string | undefined> {
  const link = await db
    .selectFrom('release_links')
    .select('url')
    .where('release_id', '=', release.id)
    .where('filepath', '=', filepath)
    .executeTakeFirst()
  if (!link) return undefined
  // Headers can contain ASCII only, so the URL is encoded if it contains other characters.
  return /^[!-~]*$/.test(link.url) ? link.url : new URL(link.url).href
}
