import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Semaphore } from '../kernel/semaphore.ts'
import { setCompiledQueryReader } from './compiled-query.ts'
import type { Db } from './db.ts'
import { migrations } from './migrations.ts'
import { registerPoolStats } from './pool-stats.ts'
import type { Schema } from './schema.ts'
import { sqliteDialect } from './sqlite-driver.ts'

export type DatabaseOptions = {
  /** A `postgres://` URL, or the path of the SQLite file. */
  url: string
  /** Told the text of every statement; tests count with it. */
  onQuery?: (sql: string) => void
  /** Whose turn it is to write to a SQLite file that other processes write to as well; without it, this process is alone. */
  writeTurn?: Semaphore
  /** Whether its schema is brought up to date, as it is if not said otherwise. */
  migrates?: boolean
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url)
}

/** Opens the database and runs its pending migrations. */
export async function openDatabase({
  url,
  onQuery,
  writeTurn,
  migrates = true,
}: DatabaseOptions): Promise<Db> {
  // The driver is loaded only if it is used, to save memory.
  const db = isPostgresUrl(url)
    ? (await import('./postgres.ts')).openPostgres(url, onQuery)
    : openSqlite(url, { onQuery, writeTurn })
  if (migrates) await migrate(db)
  return db
}

function openSqlite(path: string, options: Pick<DatabaseOptions, 'onQuery' | 'writeTurn'>): Db {
  mkdirSync(dirname(path), { recursive: true })
  const { dialect, read, figures } = sqliteDialect(path, options)
  const db = new Kysely<Schema>({ dialect })
  setCompiledQueryReader(db, read)
  registerPoolStats(db, figures)
  return db
}

function migratorOf(db: Db): Migrator {
  return new Migrator({
    db,
    provider: { getMigrations: async () => migrations },
    migrationTableName: 'migrations',
    migrationLockTableName: 'migration_locks',
  })
}

/** Runs the pending migrations, or those up to the given one. Returns their names. */
export async function migrate(db: Db, upTo?: string): Promise<string[]> {
  const migrator = migratorOf(db)
  const { error, results = [] } =
    upTo === undefined ? await migrator.migrateToLatest() : await migrator.migrateTo(upTo)
  if (error) throw error
  return results.map(({ migrationName }) => migrationName)
}

/** The migrations that this program knows, in order. */
export const knownMigrations: readonly string[] = Object.keys(migrations)

/** Returns the names of the migrations that have not run on the database yet. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const all = await migratorOf(db).getMigrations()
  return all.filter(({ executedAt }) => executedAt === undefined).map(({ name }) => name)
}
