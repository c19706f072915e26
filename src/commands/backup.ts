import { join } from 'node:path'
import { openBackupTarget, openNewestBackup } from '../backup/open-target.ts'
import { ReaderPool } from '../backup/reader-pool.ts'
import type { RepositoryReader } from '../backup/repository-reader.ts'
import { verifyBackup } from '../backup/verify-backup.ts'
import type { Db } from '../db/db.ts'
import { systemClock } from '../kernel/clock.ts'
import { RepositoryElsewhereError } from '../kernel/repository-elsewhere.ts'
import {
  backupPlacesOfConfig,
  type Command,
  type CommandContext,
  CommandError,
  parseOptions,
  refuseUnexpectedArguments,
  UsageError,
} from './command.ts'

/** Reads each storage by `pool` where its disk is here, or else by the server that has it. */
async function openReaders(
  config: CommandContext['config'],
  { db, pool }: { db: Db; pool: ReaderPool },
): Promise<{ readers: Map<string, RepositoryReader>; close: () => void }> {
  const { LocalRepositoryReader } = await import('../backup/repository-reader.ts')
  const local = new LocalRepositoryReader(config.storages, pool)
  const readers = new Map<string, RepositoryReader>()
  for (const storage of Object.keys(config.storages)) readers.set(storage, local)
  const elsewhere = Object.keys(config.storagesElsewhere)
  if (elsewhere.length === 0) return { readers, close: () => {} }
  const { openRemoteReader } = await import('./remote-reader.ts')
  const remote = openRemoteReader(config, db)
  for (const storage of elsewhere) readers.set(storage, remote.reader)
  return { readers, close: remote.close }
}

export const backupCommand: Command = {
  usage: `Usage: bloomery backup --to <folder, file.tar or s3://bucket/folder> [--keep <count>] [--with-keys]
       bloomery backup verify <folder, file.tar or s3://bucket/folder>

Backs up the database, all repositories and all blobs. The server may be running; servers that have the disks of other
storages must be running. Each backup in a folder is a
subfolder named by its time, which shares unchanged files with the previous one.

  --to          a folder, a file whose name ends in .tar, or a folder of a bucket in S3, as in
                's3://bucket/folder?endpoint=https://s3.example.org&region=eu-central-1'
                (with AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment)
  --keep        keeps this many backups in the folder and deletes older ones
  --with-keys   includes secret.key, the SSH host keys and bloomery.json
                (a backup without keys needs your own copy of secret.key to be restored)

  verify        reads every file and compares its digest
`,
  async run({ config, environment, args, print }) {
    const { values, positionals } = parseOptions(args, {
      to: { type: 'string' },
      keep: { type: 'string' },
      'with-keys': { type: 'boolean', default: false },
    })
    const [word, path, ...others] = positionals
    if (word === 'verify' && path !== undefined && others.length === 0) {
      return verify(path, environment, print)
    }
    refuseUnexpectedArguments(positionals)
    if (!values.to)
      throw new UsageError('Missing option: --to <folder, file.tar or s3://bucket/folder>')
    const keep = values.keep === undefined ? undefined : Number(values.keep)
    if (keep !== undefined && !(Number.isInteger(keep) && keep > 0)) {
      throw new UsageError(`--keep takes a whole number from 1, not ${values.keep}.`)
    }
    const withKeys = values['with-keys'] ?? false
    const target = openBackupTarget(values.to, backupPlacesOfConfig(config), environment)
    // Threads start while all of the database is loaded.
    const pool = new ReaderPool()
    const options = { target, withKeys, keep, clock: systemClock, print }
    try {
      const { withDatabase } = await import('./with-database.ts')
      const { takeBackup } = await import('../backup/take-backup.ts')
      // A database that is older than the program is not read.
      const taking = { ...backupPlacesOfConfig(config), ...options }
      const { path: taken, manifest } = await withDatabase(config, async (db) => {
        const { recordAuditEvent } = await import('../features/basics/audit-events/audit-event.ts')
        const { readers, close } = await openReaders(config, { db, pool })
        const backup = await takeBackup(db, { ...taking, readers })
          .catch((error) => {
            throw error instanceof RepositoryElsewhereError ? serverAway(error) : error
          })
          .finally(close)
        await recordAuditEvent(
          { db, clock: systemClock },
          {
            action: 'backup_completed',
            entity: { kind: 'instance', id: 0 },
            details: { bytes: backup.manifest.bytes, with_keys: withKeys },
          },
        )
        return backup
      })
      print(`Backup complete: ${taken}, ${Math.ceil(manifest.bytes / 1024 / 1024)} MB.`)
      print(
        withKeys
          ? 'WITH KEYS: whoever reads this backup can read every secret. Restrict access to it.'
          : `WITHOUT KEYS: keep a copy of ${join(config.data, 'secret.key')} elsewhere. Secrets cannot be restored without it.`,
      )
    } finally {
      await pool.close()
    }
    return 0
  },
}

function serverAway({ storage }: RepositoryElsewhereError): CommandError {
  return new CommandError(
    `The server with the storage ${storage} cannot be reached, or failed to send its repositories (its log says why). A backup needs all storages: start it and try again.`,
  )
}

async function verify(
  given: string,
  environment: CommandContext['environment'],
  print: (line: string) => void,
): Promise<number> {
  const reader = await openNewestBackup(given, environment)
  if (!reader) throw new CommandError(`Backup not found: ${given}`)
  try {
    const { manifest, files, problems } = await verifyBackup(reader)
    for (const problem of problems) print(`BROKEN ${problem}`)
    const state = problems.length === 0 ? 'good' : 'broken'
    print(
      `Backup of ${manifest.made_at}: ${state}, ${files} files, ${manifest.repositories} repositories, ${problems.length} problems.`,
    )
    return problems.length === 0 ? 0 : 1
  } finally {
    reader.close()
  }
}
