// The public face of releases: how a tag finds one.
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

/** Where the link with that path below `downloads` leads. */
export async function findDownload(
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
  return link?.url
}
