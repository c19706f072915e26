import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { listBackups } from '../backup/list-backups.ts'
import { openBackup } from '../backup/place.ts'
import { ReaderPool } from '../backup/reader-pool.ts'
import { verifyBackup } from '../backup/verify-backup.ts'
import { systemClock } from '../kernel/clock.ts'
import {
  backupPlacesOf,
  type Command,
  CommandError,
  parseOptions,
  refuseArguments,
  UsageError,
} from './command.ts'

export const backupCommand: Command = {
  usage: `Usage: bloomery backup --to <folder or file.tar> [--keep <count>] [--with-keys]
       bloomery backup verify <folder or file.tar>

Backs up the database, all repositories and all blobs. The server may be running. Each backup in a folder is a
subfolder named by its time, which shares unchanged files with the previous one.

  --to          a folder, or a file whose name ends in .tar
  --keep        keeps this many backups in the folder and deletes older ones
  --with-keys   includes secret.key, the SSH host keys and bloomery.json
                (a backup without keys needs your own copy of secret.key to be restored)

  verify        reads every file and compares its digest
`,
  async run({ config, args, print }) {
    const { values, positionals } = parseOptions(args, {
      to: { type: 'string' },
      keep: { type: 'string' },
      'with-keys': { type: 'boolean', default: false },
    })
    const [word, path, ...others] = positionals
    if (word === 'verify' && path !== undefined && others.length === 0) return verify(path, print)
    refuseArguments(positionals)
    if (!values.to) throw new UsageError('Missing option: --to <folder or file.tar>')
    const keep = values.keep === undefined ? undefined : Number(values.keep)
    if (keep !== undefined && !(Number.isInteger(keep) && keep > 0)) {
      throw new UsageError(`--keep takes a whole number from 1, not ${values.keep}.`)
    }
    const withKeys = values['with-keys'] ?? false
    // Threads start while all of the database is loaded.
    const readers = new ReaderPool()
    const options = { target: values.to, withKeys, keep, readers, clock: systemClock, print }
    try {
      const { withDatabase } = await import('./with-database.ts')
      const { takeBackup } = await import('../backup/take-backup.ts')
      // A database that is older than the program is not read.
      const taking = { ...backupPlacesOf(config), ...options }
      const { path: taken, manifest } = await withDatabase(config, async (db) => {
        const { recordAuditEvent } = await import('../features/basics/audit-events/audit-event.ts')
        const backup = await takeBackup(db, taking)
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
      await readers.close()
    }
    return 0
  },
}

async function verify(given: string, print: (line: string) => void): Promise<number> {
  if (!existsSync(given)) throw new CommandError(`Backup not found: ${given}`)
  const reader = openBackup(findNewestBackup(given))
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

/** Returns the newest backup in a folder of backups, or the given path if it is itself a backup. */
export function findNewestBackup(given: string): string {
  return listBackups(resolve(given)).at(-1) ?? resolve(given)
}
