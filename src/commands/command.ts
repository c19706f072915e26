import { join } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { BackupPlaces } from '../backup/take-backup.ts'
import type { Config } from '../config.ts'

/** A command failed for a reason that the operator can act on. The message is printed without a stack. */
export class CommandError extends Error {}

/** The command line is wrong. The message is printed with `usage`, or with the whole usage of the command. */
export class UsageError extends Error {
  readonly usage: string | undefined

  constructor(message: string, usage?: string) {
    super(message)
    this.usage = usage
  }
}

export type CommandContext = {
  config: Config
  /** Has what is no setting: the keys of object storages. */
  environment: Record<string, string | undefined>
  args: readonly string[]
  /** Prints a line on standard output. */
  print: (line: string) => void
}

export type Command = {
  usage: string
  /** Returns the exit status. */
  run: (context: CommandContext) => Promise<number>
}

/** Parses options and positional arguments. Throws UsageError for an unknown option or a missing value. */
export function parseOptions<Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
  usage?: string,
): ReturnType<typeof parseArgs<{ args: string[]; options: Options; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError((error as Error).message, usage)
  }
}

/** Throws UsageError for the first of arguments that a command does not take. */
export function refuseUnexpectedArguments(args: readonly string[], usage?: string): void {
  if (args.length > 0) throw new UsageError(`Unexpected argument: ${args[0]}`, usage)
}

/** The data folder, the places of blobs and repositories, and the database that the settings name. */
export function backupPlacesOfConfig({ data, blobs, databaseUrl, storages }: Config): BackupPlaces {
  return { data, blobs, storages, url: databaseUrl ?? join(data, 'bloomery.sqlite') }
}
