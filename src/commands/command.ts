import { join } from 'node:path'
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import type { Places } from '../backup/take-backup.ts'
import type { Config } from '../config.ts'

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
