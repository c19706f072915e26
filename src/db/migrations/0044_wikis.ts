import { type Kysely, sql } from 'kysely'
import { identityColumn } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
type AnyDb = Kysely<any>

/** Wikis, and the moves of repositories from one storage to another. */
export async function up(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('wikis')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) => c.references('projects.id').onDelete('cascade'))
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .addColumn('repository_storage', 'text', (c) => c.notNull())
    .addColumn('size', 'bigint', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await run(
    db,
    'create unique index wikis_project on wikis (project_id) where project_id is not null',
  )
  await run(
    db,
    'create unique index wikis_namespace on wikis (namespace_id) where namespace_id is not null',
  )
  await run(db, 'create index wikis_storage on wikis (repository_storage, id)')
  await run(db, 'create index projects_storage on projects (repository_storage, id)')
  await db.schema.alterTable('events').addColumn('wiki_page', 'jsonb').execute()

  await db.schema
    .createTable('storage_moves')
    .addColumn('id', id.type, id.build)
    .addColumn('project_id', 'bigint', (c) => c.references('projects.id').onDelete('cascade'))
    .addColumn('namespace_id', 'bigint', (c) => c.references('namespaces.id').onDelete('cascade'))
    .addColumn('state', 'text', (c) => c.notNull())
    .addColumn('source_storage_name', 'text', (c) => c.notNull())
    .addColumn('destination_storage_name', 'text', (c) => c.notNull())
    .addColumn('problem', 'text')
    .addColumn('attempt', 'integer', (c) => c.notNull().defaultTo(0))
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  for (const owner of ['project', 'namespace']) {
    const column = `${owner}_id`
    await run(db, `create index storage_moves_${owner} on storage_moves (${column}, id)`)
    await run(
      db,
      `create unique index storage_moves_${owner}_active on storage_moves (${column})
        where state in ('initial', 'scheduled', 'started', 'replicated')`,
    )
  }
}

async function run(db: AnyDb, statement: string): Promise<void> {
  await sql.raw(statement).execute(db)
}

export const meanings: SchemaMeanings = {
  wikis: {
    note: 'Wikis of projects and groups. A row is created with the first page; pages are in the repository.',
  },
  'wikis.size': { note: 'In bytes, as of the last housekeeping.' },
  storage_moves: {
    note: 'Moves of all repositories of a project, or of the wiki of a group, to another storage.',
  },
  'storage_moves.state': {
    type: "'initial' | 'scheduled' | 'started' | 'replicated' | 'finished' | 'failed' | 'cleanup failed'",
  },
  'storage_moves.problem': { note: 'Why the move failed, for administrators.' },
  'project_verifications.wiki_failed': { note: 'False for a project without a wiki.' },
  'storage_moves.attempt': {
    note: 'How many times the move was started. A new attempt replaces one that is still running.',
  },
  'events.wiki_page': {
    type: '{ format: string; slug: string; title: string }',
    note: 'For an event of a wiki page: the page at that time.',
  },
}
