import { type Kysely, sql } from 'kysely'
import type { SchemaMeanings } from '../meanings.ts'

/** Lists of topics, the most used first, without counting the projects of all of them. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('topics')
    .addColumn('projects_count', 'integer', (c) => c.notNull().defaultTo(0))
    .execute()
  await sql`update topics set projects_count = (select count(*) from project_topics
    where lower(project_topics.name) = lower(topics.name))`.execute(db)
  await sql`create index topics_most_used on topics (projects_count desc, name)`.execute(db)
}

export const meanings: SchemaMeanings = {
  'topics.projects_count': {
    note: 'The number of projects with the topic, whether or not a reader sees them.',
  },
}
