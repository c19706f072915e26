import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Db } from './db.ts'
import { readDirectly } from './fixed-query.ts'
import { migrations } from './migrations/index.ts'
import type { Schema } from './schema.ts'
import { sqliteDialect } from './sqlite-driver.ts'

export type DatabaseOptions = {
  /** A `postgres://` URL, or the path of the SQLite file. */
  url: string
  /** Told the text of every statement; tests count with it. */
  onQuery?: (sql: string) => void
}

/** Opens the database and brings its schema up to date. */
export async function openDatabase({ url, onQuery }: DatabaseOptions): Promise<Db> {
  const isPostgres = /^postgres(ql)?:\/\//.test(url)
  // The driver is loaded only where it is used: it would cost every other start its memory.
  const db = isPostgres
    ? (await import('./postgres.ts')).openPostgres(url, onQuery)
    : openSqlite(url, onQuery)
  await migrate(db)
  return db
}

function openSqlite(path: string, onQuery?: (sql: string) => void): Db {
  mkdirSync(dirname(path), { recursive: true })
  const { dialect, read } = sqliteDialect(path, onQuery)
  const db = new Kysely<Schema>({ dialect })
  readDirectly(db, read)
  return db
}

async function migrate(db: Db): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migration_locks',
  })
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
