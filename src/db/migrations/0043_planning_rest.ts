import { type Kysely, sql } from 'kysely'
import { identityColumn, isPostgres } from '../dialect.ts'
import type { SchemaMeanings } from '../meanings.ts'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
type AnyDb = Kysely<any>

/** What notes of the server name, which hides them with it; linked pairs, either way round; topics of the instance. */
export async function up(db: AnyDb): Promise<void> {
  await db.schema
    .alterTable('notes')
    .addColumn('about_id', 'bigint', (c) => c.references('issuables.id').onDelete('cascade'))
    .execute()
  await run(db, 'create index notes_about on notes (about_id) where about_id is not null')
  const [low, high] = isPostgres(db) ? ['least', 'greatest'] : ['min', 'max']
  const ends = `${low}(source_id, target_id), ${high}(source_id, target_id)`
  await run(db, `create unique index issue_links_ends on issue_links (${ends})`)
  await makeTopics(db)
}

async function makeTopics(db: AnyDb): Promise<void> {
  const id = identityColumn(db)
  await db.schema
    .createTable('topics')
    .addColumn('id', id.type, id.build)
    .addColumn('name', 'text', (c) => c.notNull())
    .addColumn('title', 'text')
    .addColumn('description', 'text')
    .addColumn('avatar', 'text')
    .addColumn('created_at', 'timestamptz', (c) => c.notNull())
    .addColumn('updated_at', 'timestamptz', (c) => c.notNull())
    .execute()
  await run(db, 'create unique index topics_name on topics (lower(name))')
  await run(db, 'create index project_topics_lower on project_topics (lower(name))')
  await run(
    db,
    `insert into topics (name, created_at, updated_at)
      select min(project_topics.name), min(projects.created_at), min(projects.created_at)
      from project_topics inner join projects on projects.id = project_topics.project_id
      group by lower(project_topics.name)`,
  )
}

async function run(db: AnyDb, statement: string): Promise<void> {
  await sql.raw(statement).execute(db)
}

export const meanings: SchemaMeanings = {
  topics: {
    note: 'Topics of projects. project_topics has their names as each project spells them.',
  },
  'topics.title': { note: 'Null if the title is the name.' },
  'avatars.owner_kind': { type: "'user' | 'project' | 'group' | 'topic'" },
  'notes.about_id': {
    note: 'The object that a system note refers to. A reader who cannot see it does not see the note.',
  },
}
