import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, PostgresDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import pg from 'pg'
import type { Db } from './db.ts'
import { migrations } from './migrations/index.ts'
import type { Schema } from './schema.ts'
import { sqliteDialect } from './sqlite-driver.ts'

export type DatabaseOptions = {
  /** A `postgres://` URL, or the path of the SQLite file. */
  url: string
  /** Told the text of every statement; tests count with it. */
  onQuery?: (sql: string) => void
}

const postgresTypes = { int8: 20, date: 1082, timestamptz: 1184 }

/** Rows look the same from both databases: numbers for bigint, ISO texts for dates and times. */
function parserOf(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === postgresTypes.int8) return Number
  if (oid === postgresTypes.date) return (text) => text
  if (oid === postgresTypes.timestamptz) return (text) => new Date(text).toISOString()
  return pg.types.getTypeParser(oid, format)
}

/** Opens the database and brings its schema up to date. */
export async function openDatabase({ url, onQuery }: DatabaseOptions): Promise<Db> {
  const db = /^postgres(ql)?:\/\//.test(url) ? openPostgres(url, onQuery) : openSqlite(url, onQuery)
  await migrate(db)
  return db
}

function openSqlite(path: string, onQuery?: (sql: string) => void): Db {
  mkdirSync(dirname(path), { recursive: true })
  return new Kysely<Schema>({ dialect: sqliteDialect(path, onQuery) })
}

function openPostgres(url: string, onQuery?: (sql: string) => void): Db {
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    connectionTimeoutMillis: 10_000,
    statement_timeout: 60_000,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  })
  // An idle connection that breaks is replaced at the next query; without a listener it would end us.
  pool.on('error', () => {})
  return new Kysely<Schema>({
    dialect: new PostgresDialect({ pool }),
    log: onQuery ? (event) => onQuery(event.query.sql) : undefined,
  })
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
