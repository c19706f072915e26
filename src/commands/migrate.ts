import { migrate, openDatabase, pendingMigrations } from '../db/open.ts'
import {
  backupPlacesOfConfig,
  type Command,
  parseOptions,
  refuseUnexpectedArguments,
} from './command.ts'

export const migrateCommand: Command = {
  usage: `Usage: bloomery migrate [--status]

Runs pending migrations of the database, as the server does when it starts. Only a backup undoes them.

  --status   lists pending migrations without running them; exits with 1 if there are any
`,
  async run({ config, args, print }) {
    const { values, positionals } = parseOptions(args, { status: { type: 'boolean' } })
    refuseUnexpectedArguments(positionals)
    const db = await openDatabase({ url: backupPlacesOfConfig(config).url, migrates: false })
    try {
      const pending = await pendingMigrations(db)
      if (values.status) {
        for (const name of pending) print(`pending ${name}`)
        if (pending.length === 0) print('The database is up to date.')
        return pending.length === 0 ? 0 : 1
      }
      for (const name of await migrate(db)) print(`done ${name}`)
      print('The database is up to date.')
      return 0
    } finally {
      await db.destroy()
    }
  },
}
