import { join } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Places } from '../backup/take-backup.ts'
import type { Config } from '../config.ts'
import { hasTables } from '../db/aside.ts'
import type { Db } from '../db/db.ts'
import { isPostgresUrl, openDatabase, pendingMigrations } from '../db/open.ts'

/** Why a command does not do what it is asked, in words for whoever asked. */
export class CommandError extends Error {}

/** The command was not understood: its usage is shown. */
export class UsageError extends Error {}

export type CommandContext = {
  config: Config
  args: readonly string[]
  /** A line for whoever asked. */
  say: (line: string) => void
}

export type Command = {
  usage: string
  /** Answers the status to exit with. */
  run: (context: CommandContext) => Promise<number>
}

/** Options and what stands beside them. Throws UsageError for an option there is none of. */
export function readOptions<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
): ReturnType<typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message)
  }
}

/** Where everything of a server lies. */
export function placesOf({ data, databaseUrl, storages }: Config): Places {
  return { data, storages, url: databaseUrl ?? join(data, 'bloomery.sqlite') }
}

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
