// Loads the payloads of system hooks and group hooks about projects, users and groups.
import type { Db } from '../../../db/db.ts'

/** Returns a project in any state, with the owner of its namespace. */
export function findProjectWithOwner(db: Db, id: number) {
  return db
    .selectFrom('projects')
    .innerJoin('namespaces', 'namespaces.id', 'projects.namespace_id')
    .leftJoin('users as owners', 'owners.id', 'namespaces.owner_id')
    .select([
      'projects.id',
      'projects.name',
      'projects.path',
      'projects.visibility',
      'projects.state',
      'projects.namespace_id',
      'projects.created_at',
      'projects.updated_at',
      'namespaces.full_path as namespace_path',
      'namespaces.name as namespace_name',
      'owners.name as owner_name',
      'owners.public_email as owner_email',
    ])
    .where('projects.id', '=', id)
    .executeTakeFirst()
}

export type HookProject = NonNullable<Awaited<ReturnType<typeof findProjectWithOwner>>>

/** Returns a group with its parent. */
export function findGroupWithParent(db: Db, id: number) {
  return db
    .selectFrom('namespaces')
    .leftJoin('namespaces as parents', 'parents.id', 'namespaces.parent_id')
    .select([
      'namespaces.id',
      'namespaces.name',
      'namespaces.path',
      'namespaces.full_path',
      'namespaces.parent_id',
      'namespaces.created_at',
      'namespaces.updated_at',
      'parents.name as parent_name',
      'parents.path as parent_path',
      'parents.full_path as parent_full_path',
    ])
    .where('namespaces.id', '=', id)
    .executeTakeFirst()
}
