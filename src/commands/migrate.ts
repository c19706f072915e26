import { migrate, openDatabase, pendingMigrations } from '../db/open.ts'
import { type Command, placesOf, readOptions, UsageError } from './command.ts'

export const migrateCommand: Command = {
  usage: `Usage: bloomery migrate [--status]

Brings the database up to date, as a start of the server does. There is no way back but a backup.

  --status   only says what there is to do: exits with 1 where there is something
`,
  async run({ config, args, say }) {
    const { values, positionals } = readOptions(args, { status: { type: 'boolean' } })
    if (positionals.length > 0) throw new UsageError(`It takes no ${positionals[0]}.`)
    const db = await openDatabase({ url: placesOf(config).url, migrates: false })
    try {
      const pending = await pendingMigrations(db)
      if (values.status) {
        for (const name of pending) say(`pending ${name}`)
        if (pending.length === 0) say('The database is up to date.')
        return pending.length === 0 ? 0 : 1
      }
      for (const name of await migrate(db)) say(`done ${name}`)
      say('The database is up to date.')
      return 0
    } finally {
      await db.destroy()
    }
  },
}
