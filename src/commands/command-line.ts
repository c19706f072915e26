// Commands at the machine: they read the settings that `serve` reads and work on its data themselves, whether it
// runs or not. What they write they write as the server does, in transactions; SQLite has whoever comes second
// wait for its one writer (busy_timeout), and what a server keeps in memory it holds against the database.

import { join } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { BackupError } from '../backup/backup-error.ts'
import type { Places } from '../backup/take-backup.ts'
import { type Config, ConfigError, readConfig } from '../config.ts'
import { hasTables } from '../db/aside.ts'
import type { Db } from '../db/db.ts'
import { isPostgresUrl, openDatabase, pendingMigrations } from '../db/open.ts'
import type { CommandName } from './command-names.ts'

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

const commands: Record<CommandName, () => Promise<Command>> = {
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  restore: async () => (await import('./restore.ts')).restoreCommand,
  admin: async () => (await import('./admin.ts')).adminCommand,
  health: async () => (await import('./health.ts')).healthCommand,
}

/** Runs a command; answers the status to exit with: 0 done, 1 not done, 2 not understood. */
export async function runCommandLine(
  name: CommandName,
  args: readonly string[],
  environment: Record<string, string | undefined>,
): Promise<number> {
  const { usage, run } = await commands[name]()
  if (args.includes('--help') || args.includes('-h')) {
    process.stdout.write(usage)
    return 0
  }
  const say = (line: string) => void process.stdout.write(`${line}\n`)
  try {
    return await run({ config: readConfig(environment), args, say })
  } catch (error) {
    const isExpected =
      error instanceof CommandError || error instanceof BackupError || error instanceof ConfigError
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n\n${usage}`)
      return 2
    }
    process.stderr.write(`${isExpected ? error.message : ((error as Error).stack ?? error)}\n`)
    return error instanceof ConfigError ? 2 : 1
  }
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
