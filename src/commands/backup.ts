import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { listBackups } from '../backup/list-backups.ts'
import { openBackup } from '../backup/place.ts'
import { Readers } from '../backup/readers.ts'
import { verifyBackup } from '../backup/verify-backup.ts'
import { systemClock } from '../kernel/clock.ts'
import { type Command, CommandError, placesOf, readOptions, UsageError } from './command.ts'

export const backupCommand: Command = {
  usage: `Usage: bloomery backup --to <folder or file.tar> [--keep <count>] [--with-keys]
       bloomery backup verify <folder or file.tar>

Takes a backup of the database, all repositories and all blobs, while the server runs or not. In a folder each
backup is a folder of its own, named by its time; what has not changed since the last one takes no room again.

  --to          a folder, or a file whose name ends in .tar
  --keep        so many backups stay in the folder, the oldest go
  --with-keys   also what opens secrets: secret.key, the SSH host keys, bloomery.json
                (without them the backup cannot be restored unless you keep secret.key elsewhere)

  verify        reads every file and holds it against its digest
`,
  async run({ config, args, say }) {
    const { values, positionals } = readOptions(args, {
      to: { type: 'string' },
      keep: { type: 'string' },
      'with-keys': { type: 'boolean', default: false },
    })
    const [word, path, ...others] = positionals
    if (word === 'verify' && path !== undefined && others.length === 0) return verify(path, say)
    if (word !== undefined) throw new UsageError(`There is no ${word} here.`)
    if (!values.to) throw new UsageError('--to says where the backup is to lie.')
    const keep = values.keep === undefined ? undefined : Number(values.keep)
    if (keep !== undefined && !(Number.isInteger(keep) && keep > 0)) {
      throw new UsageError('--keep takes a number from 1 on.')
    }
    const withKeys = values['with-keys'] ?? false
    // Threads start while all of the database is loaded.
    const readers = new Readers()
    const options = { target: values.to, withKeys, keep, readers, clock: systemClock, say }
    try {
      const { withDatabase } = await import('./with-database.ts')
      const { takeBackup } = await import('../backup/take-backup.ts')
      // A database that is older than the program is not read.
      const taking = { ...placesOf(config), ...options }
      const { path: taken, manifest } = await withDatabase(config, (db) => takeBackup(db, taking))
      say(`Backup: ${taken}, ${Math.ceil(manifest.bytes / 1024 / 1024)} MB.`)
      say(
        withKeys
          ? 'IT HOLDS THE KEYS: whoever has it reads every secret. Keep it as you keep them.'
          : `WITHOUT KEYS: keep ${join(config.data, 'secret.key')} elsewhere, or its secrets are lost.`,
      )
    } finally {
      await readers.close()
    }
    return 0
  },
}

async function verify(given: string, say: (line: string) => void): Promise<number> {
  if (!existsSync(given)) throw new CommandError(`There is no ${given}.`)
  const reader = openBackup(newestIn(given))
  try {
    const { manifest, files, problems } = await verifyBackup(reader)
    for (const problem of problems) say(`BROKEN ${problem}`)
    const state = problems.length === 0 ? 'good' : `broken: ${problems.length} problems`
    say(
      `Backup of ${manifest.made_at}: ${state}. ${files} files, ${manifest.repositories} repositories.`,
    )
    return problems.length === 0 ? 0 : 1
  } finally {
    reader.close()
  }
}

/** The newest backup in a folder of backups; otherwise what was given. */
export function newestIn(given: string): string {
  return listBackups(resolve(given)).at(-1) ?? resolve(given)
}
