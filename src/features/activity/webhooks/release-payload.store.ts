import type { Selectable } from 'kysely'
import type { Db, ReleaseLinkTable, ReleaseTable } from '../../../db/db.ts'

export type ReleaseRow = Selectable<ReleaseTable>
export type ReleaseLinkRow = Selectable<ReleaseLinkTable>

export function findReleaseRow(db: Db, id: number): Promise<ReleaseRow | undefined> {
  return db.selectFrom('releases').selectAll().where('id', '=', id).executeTakeFirst()
}

export function listLinksOf(db: Db, release_id: number): Promise<ReleaseLinkRow[]> {
  return db
    .selectFrom('release_links')
    .selectAll()
    .where('release_id', '=', release_id)
    .orderBy('id')
    .execute()
}

export function findNewestRelease(db: Db, project_id: number): Promise<ReleaseRow | undefined> {
  return db
    .selectFrom('releases')
    .selectAll()
    .where('project_id', '=', project_id)
    .orderBy('released_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
