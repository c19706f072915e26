import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { openBackup } from '../backup/place.ts'
import { findRepositories } from '../backup/repositories.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import type { Config } from '../config.ts'
import { closeGitAccess, type GitAccess, openGitAccess } from '../git/git.ts'
import { verifyConnections } from '../git/verify-repository.ts'
import { monotonic_ms, systemClock } from '../kernel/clock.ts'
import { newestIn } from './backup.ts'
import { type Command, CommandError, placesOf, readOptions, UsageError } from './command.ts'

export const restoreCommand: Command = {
  usage: `Usage: bloomery restore --from <folder or file.tar> [--overwrite] [--check]

Puts a backup back, into the database and folders that the settings name: SQLite or PostgreSQL, whichever the
backup came from. The server must not be running. A folder of several backups means its newest one.

  --from        a backup, or a folder of backups
  --overwrite   puts what is there already aside, under other names beside it;
                the tables of a PostgreSQL database are removed
  --check       has git look through every repository afterwards

A backup without keys needs the secret.key of its server in the data folder first.
`,
  async run({ config, args, say }) {
    const { values, positionals } = readOptions(args, {
      from: { type: 'string' },
      overwrite: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
    })
    if (!values.from || positionals.length > 0) throw new UsageError('--from says which backup.')
    if (!existsSync(values.from)) throw new CommandError(`There is no ${values.from}.`)
    const reader = openBackup(newestIn(values.from))
    const overwrites = values.overwrite ?? false
    try {
      const places = placesOf(config)
      const manifest = await restoreBackup({
        ...places,
        reader,
        overwrites,
        clock: systemClock,
        say,
      })
      say(`Restored what was there at ${manifest.made_at}.`)
      if (!manifest.has_keys)
        say('The backup had no keys: the secret.key of the data folder is used.')
    } finally {
      reader.close()
    }
    return values.check ? checkAll(config, say) : 0
  },
}

async function checkAll(config: Config, say: (line: string) => void): Promise<number> {
  return withGit(config, async (git) => {
    let [count, broken] = [0, 0]
    for (const { path } of findRepositories(config.storages)) {
      const problem = await verifyConnections(git.git, { path })
      count++
      if (problem === undefined) continue
      broken++
      say(`BROKEN ${path}: ${problem}`)
    }
    say(`git fsck: ${count} repositories, ${broken} broken.`)
    return broken === 0 ? 0 : 1
  })
}

/** Git for as long as `work` takes. */
export async function withGit<T>(config: Config, work: (git: GitAccess) => Promise<T>): Promise<T> {
  const git = await openGitAccess({
    searchPath: config.searchPath,
    cache: join(config.data, 'cache'),
    memory_bytes_max: config.gitMemory_bytes,
    now_ms: monotonic_ms,
  })
  try {
    return await work(git)
  } finally {
    await closeGitAccess(git)
  }
}
