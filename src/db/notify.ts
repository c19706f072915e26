import { sql } from 'kysely'
import type { Db } from './db.ts'
import { isPostgres } from './dialect.ts'

/** Sends texts to all listeners of a PostgreSQL channel, in one statement. */
export async function notifyPostgresChannel(
  db: Db,
  channel: string,
  texts: readonly string[],
): Promise<void> {
  if (!isPostgres(db)) return
  await sql`select pg_notify(${channel}, text) from unnest(cast(${[...texts]} as text[])) as text`.execute(
    db,
  )
}
