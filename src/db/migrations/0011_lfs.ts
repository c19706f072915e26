import type { Kysely } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('lfs_objects')
    .addColumn('id', id.type, id.build)
    .addColumn('oid', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull())
    .addColumn('unlinked_since', 'timestamptz')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema.createIndex('lfs_objects_oid').unique().on('lfs_objects').column('oid').execute()
  await db.schema
    .createIndex('lfs_objects_unlinked')
    .on('lfs_objects')
    .column('unlinked_since')
    .execute()

  await db.schema
    .createTable('project_lfs_objects')
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('lfs_object_id', 'bigint', (c) => c.notNull().references('lfs_objects.id'))
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addPrimaryKeyConstraint('project_lfs_objects_key', ['project_id', 'lfs_object_id'])
    .execute()
  await db.schema
    .createIndex('project_lfs_objects_object')
    .on('project_lfs_objects')
    .column('lfs_object_id')
    .execute()

  await db.schema
    .createTable('lfs_locks')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) =>
      c.notNull().references('projects.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'bigint', (c) => c.notNull().references('users.id').onDelete('cascade'))
    .addColumn('path', 'text', (c) => c.notNull())
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await db.schema
    .createIndex('lfs_locks_path')
    .unique()
    .on('lfs_locks')
    .columns(['project_id', 'path'])
    .execute()
  await db.schema.createIndex('lfs_locks_user').on('lfs_locks').column('user_id').execute()

  await db.schema
    .alterTable('projects')
    .addColumn('uses_lfs', 'boolean', (c) => c.notNull().defaultTo(false))
    .execute()
  await db.schema
    .alterTable('project_statistics')
    .addColumn('lfs_objects_size', 'bigint', (c) => c.notNull().defaultTo(0))
    .execute()
}

/** What the schema does not say of what is new here. */
export const meanings: SchemaMeanings = {
  lfs_objects: {
    note: 'LFS objects. project_lfs_objects says which projects have them.',
  },
  'lfs_objects.oid': { note: 'SHA-256 of the content, in hex.' },
  'lfs_objects.unlinked_since': {
    note: 'Since when no project has the object; null while a project has it.',
  },
  project_lfs_objects: {
    note: 'The LFS objects of a project, to which somebody has uploaded them.',
  },
  'projects.uses_lfs': {
    note: 'Whether pushes are searched for LFS pointers: the project has had LFS objects, or its .gitattributes asks for LFS.',
  },
}
