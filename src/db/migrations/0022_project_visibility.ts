import { type Kysely, sql } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  await sql`create index projects_by_visibility on projects (visibility, id) where state = 'ready'`.execute(
    db,
  )
  // Nearly all projects are forks of nothing, and an index of as many nulls looks useless to a planner.
  await db.schema.dropIndex('projects_forked_from').execute()
  await sql`create index projects_forked_from on projects (forked_from_id) where forked_from_id is not null`.execute(
    db,
  )
}
