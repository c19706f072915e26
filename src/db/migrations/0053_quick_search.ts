import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../dialect.ts'

/**
 * Indexes by which names are found by how they begin, of each visibility apart: where most rows are hidden
 * from whoever asks, none of these is looked at.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  const postgres = isPostgres(db)
  // What PostgreSQL sorts by a language has no place for all that begin alike.
  const beginning = (column: string) => `lower(${column})${postgres ? ' collate "C"' : ''}`
  const indexes = ['path', 'name'].flatMap((column) => [
    `projects_${column}_beginning on projects (visibility, ${beginning(column)})
      where state = 'ready'`,
    `namespaces_${column}_beginning on namespaces (visibility, ${beginning(column)})
      where kind = 'group'`,
  ])
  // SQLite has these two already.
  if (postgres) {
    indexes.push(
      `users_username_beginning on users (${beginning('username')})`,
      `users_name_beginning on users (${beginning('name')})`,
    )
  }
  for (const index of indexes) await sql.raw(`create index ${index}`).execute(db)
}
