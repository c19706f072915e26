// Commands for operators. They read the settings of `serve` and work on its data directly, whether or not the server
// runs. They write in transactions, as the server does; a second writer of SQLite waits (busy_timeout), and a running
// server checks its caches against the database.

import { BackupError } from '../backup/backup-error.ts'
import { ConfigError, readConfig } from '../config.ts'
import { ApiError } from '../kernel/errors.ts'
import { type Command, CommandError, UsageError } from './command.ts'
import type { CommandName } from './command-names.ts'

const commands: Record<CommandName, () => Promise<Command>> = {
  migrate: async () => (await import('./migrate.ts')).migrateCommand,
  backup: async () => (await import('./backup.ts')).backupCommand,
  restore: async () => (await import('./restore.ts')).restoreCommand,
  blobs: async () => (await import('./blobs.ts')).blobsCommand,
  admin: async () => (await import('./admin.ts')).adminCommand,
  health: async () => (await import('./health.ts')).healthCommand,
}

/** Runs a command and returns its exit status: 0 done, 1 failed, 2 wrong command line or settings. */
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
  const print = (line: string) => void process.stdout.write(`${line}\n`)
  try {
    return await run({ config: readConfig(environment), environment, args, print })
  } catch (error) {
    // S3 does not answer, or refuses: the cause says which call.
    const isUnavailable = error instanceof ApiError && error.kind === 'unavailable'
    const isExpected =
      error instanceof CommandError || error instanceof BackupError || error instanceof ConfigError
    if (error instanceof UsageError) {
      process.stderr.write(`${error.message}\n${error.usage ?? `\n${usage}`}`)
      return 2
    }
    if (isUnavailable) {
      const { message, cause } = error
      process.stderr.write(`${message} (${(cause as Error | undefined)?.message ?? 'no cause'})\n`)
      return 1
    }
    process.stderr.write(`${isExpected ? error.message : ((error as Error).stack ?? error)}\n`)
    return error instanceof ConfigError ? 2 : 1
  }
}
