import { join } from 'node:path'
import { openNewestBackup } from '../backup/open-target.ts'
import { listRepositoriesOfStorages } from '../backup/repositories.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import type { Config } from '../config.ts'
import { isDatabaseInUse } from '../db/existing-database.ts'
import { isPostgresUrl } from '../db/open.ts'
import { listNodes } from '../features/operating/nodes/list-nodes.ts'
import { writeKnownMarkers } from '../features/operating/nodes/storage-marker.ts'
import { closeGitAccess, type GitAccess, openGitAccess } from '../git/git.ts'
import { verifyConnectivity } from '../git/verify-repository.ts'
import { monotonic_ms, systemClock } from '../kernel/clock.ts'
import {
  backupPlacesOfConfig,
  type Command,
  CommandError,
  parseOptions,
  refuseUnexpectedArguments,
  UsageError,
} from './command.ts'
import { withDatabase } from './with-database.ts'

export const restoreCommand: Command = {
  usage: `Usage: bloomery restore --from <folder, file.tar or s3://bucket/folder> [--repositories] [--overwrite] [--check]

Restores a backup into the database and folders that the settings name. The database may be SQLite or PostgreSQL,
whichever the backup came from. The server must be stopped. For a folder of backups the newest one is restored.

  --from        a backup, or a folder of backups, as for "bloomery backup --to"
  --repositories  restores nothing but the repositories of the storages that have a path in BLOOMERY_STORAGES, where
                another server has restored all else
  --overwrite   renames existing data (suffix "before-restore"); drops the tables of a PostgreSQL database
  --check       runs git fsck on every repository afterwards

A backup without keys needs the secret.key of its server in the data folder first.
`,
  async run({ config, environment, args, print }) {
    const { values, positionals } = parseOptions(args, {
      from: { type: 'string' },
      repositories: { type: 'boolean', default: false },
      overwrite: { type: 'boolean', default: false },
      check: { type: 'boolean', default: false },
    })
    refuseUnexpectedArguments(positionals)
    if (!values.from)
      throw new UsageError('Missing option: --from <folder, file.tar or s3://bucket/folder>')
    const reader = await openNewestBackup(values.from, environment)
    if (!reader) throw new CommandError(`Backup not found: ${values.from}`)
    const overwrites = values.overwrite ?? false
    const isRepositoriesOnly = values.repositories ?? false
    try {
      if (isRepositoriesOnly) await refuseRunningOwner(config)
      const manifest = await restoreBackup({
        ...backupPlacesOfConfig(config),
        storagesElsewhere: Object.keys(config.storagesElsewhere),
        ...{ reader, overwrites, isRepositoriesOnly, clock: systemClock, print },
      })
      if (isRepositoriesOnly) {
        await withDatabase(config, (db) => writeKnownMarkers(db, config.storages))
        print(`Restored the repositories of ${Object.keys(config.storages).join(', ')}.`)
        return values.check ? await checkAll(config, print) : 0
      }
      print(`Restored the backup of ${manifest.made_at}.`)
      if (!manifest.has_keys)
        print('The backup has no keys. The secret.key of the data folder is used.')
    } finally {
      reader.close()
    }
    return values.check ? checkAll(config, print) : 0
  },
}

/** Throws where a server runs that has one of the storages of this machine. */
async function refuseRunningOwner(config: Config): Promise<void> {
  const { url } = backupPlacesOfConfig(config)
  if (!isPostgresUrl(url)) {
    if (await isDatabaseInUse(url)) throw new CommandError('The server runs. Stop it first.')
    return
  }
  const nodes = await withDatabase(config, (db) => listNodes({ db, config }))
  const owned = Object.keys(config.storages)
  for (const { name, state, storages } of nodes) {
    if (state !== 'running' || !storages.some((storage) => owned.includes(storage))) continue
    throw new CommandError(
      `The server ${name} runs, which has the storages ${storages.join(', ')}. Stop it first.`,
    )
  }
}

async function checkAll(config: Config, print: (line: string) => void): Promise<number> {
  return withGitAccess(config, async (git) => {
    let [count, broken] = [0, 0]
    for (const { path } of listRepositoriesOfStorages(config.storages)) {
      const problem = await verifyConnectivity(git.git, { path })
      count++
      if (problem === undefined) continue
      broken++
      print(`BROKEN ${path}: ${problem}`)
    }
    print(`git fsck: ${count} repositories, ${broken} broken.`)
    return broken === 0 ? 0 : 1
  })
}

/** Runs `work` with access to git, and closes that access afterwards. */
export async function withGitAccess<T>(
  config: Config,
  work: (git: GitAccess) => Promise<T>,
): Promise<T> {
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
