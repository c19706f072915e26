// Commands at the machine: they read the settings that `serve` reads and work on its data themselves, whether it
// runs or not. What they write they write as the server does, in transactions; SQLite has whoever comes second
// wait for its one writer (busy_timeout), and what a server keeps in memory it holds against the database.

import { BackupError } from '../backup/backup-error.ts'
import { ConfigError, readConfig } from '../config.ts'
import { type Command, CommandError, UsageError } from './command.ts'
import type { CommandName } from './command-names.ts'

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
