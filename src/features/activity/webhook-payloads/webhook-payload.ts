import type { Selectable } from 'kysely'
import type { Db, NoteTable, ProjectTable, ReleaseLinkTable, ReleaseTable } from '../../../db/db.ts'
import type { Issuable } from '../../../subjects/issuable.ts'

export type ReleaseRow = Selectable<ReleaseTable>
export type ReleaseLinkRow = Selectable<ReleaseLinkTable>

export function findReleaseRow(db: Db, id: number): Promise<ReleaseRow | undefined> {
  return db.selectFrom('releases').selectAll().where('id', '=', id).executeTakeFirst()
}

export function listLinksOfRelease(db: Db, release_id: number): Promise<ReleaseLinkRow[]> {
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

export type ProjectForPayload = Pick<
  Selectable<ProjectTable>,
  | 'id'
  | 'name'
  | 'path'
  | 'description'
  | 'avatar'
  | 'visibility'
  | 'default_branch'
  | 'ci_config_path'
  | 'repository_storage'
> & { full_path: string; full_name: string; namespace_name: string }

export async function findProjectForPayload(
  db: Db,
  id: number,
): Promise<ProjectForPayload | undefined> {
  const row = await db
    .selectFrom('projects')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .select([
      'projects.id',
      'projects.name',
      'projects.path',
      'projects.description',
      'projects.avatar',
      'projects.visibility',
      'projects.default_branch',
      'projects.ci_config_path',
      'projects.repository_storage',
      'namespaces.full_path as namespace_path',
      'namespaces.full_name as namespace_full_name',
      'namespaces.name as namespace_name',
    ])
    .where('projects.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { namespace_path, namespace_full_name, ...project } = row
  const full_path = `${namespace_path}/${row.path}`
  return { ...project, full_path, full_name: `${namespace_full_name} / ${row.name}` }
}

export type Note = Selectable<NoteTable>

export function findIssuableRow(db: Db, id: number): Promise<Issuable | undefined> {
  return db.selectFrom('issuables').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findNote(db: Db, id: number): Promise<Note | undefined> {
  return db.selectFrom('notes').selectAll().where('id', '=', id).executeTakeFirst()
}
