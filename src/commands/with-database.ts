import type { Config } from '../config.ts'
import type { Db } from '../db/db.ts'
import { hasTables } from '../db/existing-database.ts'
import { isPostgresUrl, openDatabase, pendingMigrations } from '../db/open.ts'
import { backupPlacesOfConfig, CommandError } from './command.ts'

/**
 * Runs `work` on the database that the settings name. Throws CommandError if there is none, or if it has pending
 * migrations: a server of the older version may be using it.
 */
export async function withDatabase<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  const { url } = backupPlacesOfConfig(config)
  if (!(await hasTables(url))) {
    throw new CommandError(`No database at ${nameOf(url)}. Start the server once to create it.`)
  }
  const db = await openDatabase({ url, migrates: false })
  try {
    if ((await pendingMigrations(db)).length > 0) {
      throw new CommandError(
        'The database has pending migrations. Stop the server and run `bloomery migrate` first.',
      )
    }
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** The URL of a database without user and password. */
function nameOf(url: string): string {
  const parsed = isPostgresUrl(url) ? URL.parse(url) : null
  return parsed ? `${parsed.host}${parsed.pathname}` : url
}
