// All rows of a database as they were at one moment, in a form that is the same for both databases: a row is
// a list of values in the order of its columns; booleans are booleans, JSON is its text, bytes are base64.
import Database from 'better-sqlite3'
import type { TableMetadata } from 'kysely'
import type { Db } from './db.ts'
import { isPostgresUrl } from './open.ts'

export type TableShape = { name: string; columns: readonly string[] }
export type PlainRow = readonly (string | number | boolean | null)[]

export type Snapshot = {
  readonly kind: 'sqlite' | 'postgres'
  readonly tables: readonly TableShape[]
  /** The steps of the schema that have run, in their order. */
  readonly migrations: readonly string[]
  /** All rows of one table, some at a time. */
  rows: (table: TableShape) => AsyncGenerator<PlainRow[]>
  close: () => Promise<void>
}

type Kind = 'boolean' | 'json' | 'bytes' | 'plain'
type Column = { name: string; kind: Kind }

const rows_at_once = 1000

/** Tables without data to keep: those that the server fills at every start, those of Kysely, and SQLite's text indexes. */
const notRows: ReadonlySet<string> = new Set([
  'workers',
  'nodes',
  'node_questions',
  'node_answers',
  'storages',
  'lane_holds',
  'migrations',
  'migration_locks',
  'sqlite_sequence',
  'sqlite_stat1',
  'sqlite_stat4',
])
const textIndexParts = ['', '_data', '_idx', '_content', '_docsize', '_config']

function holdsRows(name: string): boolean {
  return !notRows.has(name) && !textIndexParts.some((part) => name.endsWith(`_texts${part}`))
}

/** The names of the tables whose rows are data. */
export async function listDataTables(db: Db): Promise<TableMetadata[]> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  return tables
    .filter(({ name, isView }) => !isView && holdsRows(name))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const kinds: Readonly<Record<string, Kind>> = {
  boolean: 'boolean',
  bool: 'boolean',
  jsonb: 'json',
  blob: 'bytes',
  bytea: 'bytes',
}

function columnsOf({ columns }: TableMetadata): Column[] {
  return columns.map(({ name, dataType }) => ({
    name,
    // Names of types are ours and both databases' own.
    kind: new Map(Object.entries(kinds)).get(dataType.toLowerCase()) ?? 'plain',
  }))
}

/** Returns the kind of each column, for loading a snapshot. */
export function columnKinds(table: TableMetadata): Map<string, Kind> {
  return new Map(columnsOf(table).map(({ name, kind }) => [name, kind]))
}

/** Starts to read a snapshot of the database `db` at `url`. Writers do not wait for it. */
export async function openSnapshot(url: string, db: Db): Promise<Snapshot> {
  const tables = new Map((await listDataTables(db)).map((table) => [table.name, columnsOf(table)]))
  const shapes = [...tables].map(([name, columns]) => ({
    name,
    columns: columns.map((column) => column.name),
  }))
  const reader = isPostgresUrl(url) ? await readPostgres(url) : readSqlite(url)
  return {
    kind: isPostgresUrl(url) ? 'postgres' : 'sqlite',
    tables: shapes,
    migrations: reader.migrations,
    rows: ({ name }) => reader.rows(name, tables.get(name) ?? []),
    close: reader.close,
  }
}

type RowReader = {
  migrations: string[]
  rows: (table: string, columns: readonly Column[]) => AsyncGenerator<PlainRow[]>
  close: () => Promise<void>
}

const migrationsQuery = 'select name from migrations order by timestamp, name'
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`

function readSqlite(path: string): RowReader {
  const database = new Database(path, { readonly: true })
  database.pragma('busy_timeout = 5000')
  database.exec('begin')
  // The first read determines the moment of the snapshot.
  const migrations = database.prepare(migrationsQuery).pluck().all() as string[]
  return {
    migrations,
    async *rows(table, columns) {
      const names = columns.map(({ name }) => quoted(name)).join(', ')
      const statement = database.prepare(`select ${names} from ${quoted(table)}`).raw()
      let batch: PlainRow[] = []
      for (const row of statement.iterate() as IterableIterator<unknown[]>) {
        batch.push(row.map((value, at) => plainOfSqlite(value, columns[at]?.kind)))
        if (batch.length < rows_at_once) continue
        yield batch
        batch = []
      }
      if (batch.length > 0) yield batch
    },
    async close() {
      database.close()
    },
  }
}

function plainOfSqlite(value: unknown, kind: Kind | undefined): PlainRow[number] {
  if (value === null) return null
  if (kind === 'boolean') return value === 1
  if (Buffer.isBuffer(value)) return value.toString('base64')
  return value as string | number
}

async function readPostgres(url: string): Promise<RowReader> {
  // The driver is loaded only if it is used.
  const { openPostgresSession } = await import('./postgres.ts')
  const session = await openPostgresSession(url)
  await session.query('begin isolation level repeatable read read only')
  const found = await session.query(migrationsQuery)
  return {
    migrations: found.map(([name]) => String(name)),
    async *rows(table, columns) {
      const values = columns.map(({ name, kind }) => {
        if (kind === 'json') return `${quoted(name)}::text`
        return kind === 'bytes'
          ? `replace(encode(${quoted(name)}, 'base64'), E'\\n', '')`
          : quoted(name)
      })
      const select = `select ${values.join(', ')} from ${quoted(table)}`
      await session.query(`declare all_rows no scroll cursor for ${select}`)
      for (;;) {
        const batch = await session.query(`fetch ${rows_at_once} from all_rows`)
        if (batch.length === 0) break
        yield batch as PlainRow[]
      }
      await session.query('close all_rows')
    },
    close: () => session.end(),
  }
}
