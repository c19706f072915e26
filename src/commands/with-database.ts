import type { Config } from '../config.ts'
import { hasTables } from '../db/aside.ts'
import type { Db } from '../db/db.ts'
import { isPostgresUrl, openDatabase, pendingMigrations } from '../db/open.ts'
import { CommandError, placesOf } from './command.ts'

/** Does something to the database. It must be as new as this program, for a server may be running on it. */
export async function withDatabase<T>(config: Config, work: (db: Db) => Promise<T>): Promise<T> {
  const { url } = placesOf(config)
  if (!(await hasTables(url))) {
    throw new CommandError(`There is no database at ${nameOf(url)}: start the server once.`)
  }
  const db = await openDatabase({ url, migrates: false })
  try {
    if ((await pendingMigrations(db)).length > 0) {
      throw new CommandError(
        'The database is older than this program. Stop the server, and run `bloomery migrate` first.',
      )
    }
    return await work(db)
  } finally {
    await db.destroy()
  }
}

/** A database without the password to it. */
function nameOf(url: string): string {
  const parsed = isPostgresUrl(url) ? URL.parse(url) : null
  return parsed ? `${parsed.host}${parsed.pathname}` : url
}
