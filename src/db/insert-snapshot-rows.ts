// Inserts the rows of a snapshot into a database, from whichever of the two it came.
import { sql } from 'kysely'
import { limits } from '../kernel/limits.ts'
import type { Db } from './db.ts'
import { isPostgres } from './dialect.ts'
import { columnKinds, listDataTables, type PlainRow, type TableShape } from './snapshot.ts'

/** A table and its rows. Tables come one after another, in any order. */
export type SnapshotTable = { shape: TableShape; rows: AsyncIterable<PlainRow> }

// Tables are those that the snapshot names, whatever the types of today know.
// biome-ignore lint/suspicious/noExplicitAny: see above.
type AnyDb = any

/**
 * Replaces all rows by the given ones, in one transaction. Returns the number of rows in each table. Triggers do not run,
 * and foreign keys are checked at the end.
 */
export async function insertSnapshotRows(
  db: Db,
  tables: AsyncIterable<SnapshotTable>,
): Promise<Map<string, number>> {
  const metadata = new Map((await listDataTables(db)).map((table) => [table.name, table]))
  const counts = new Map<string, number>()
  await db.transaction().execute(async (tx) => {
    const settle = isPostgres(tx)
      ? await loosenPostgres(tx, [...metadata.keys()])
      : await loosenSqlite(tx)
    for (const name of metadata.keys()) await sql`delete from ${sql.table(name)}`.execute(tx)
    for await (const { shape, rows } of tables) {
      const table = metadata.get(shape.name)
      if (!table) throw new Error(`Unknown table in the backup: ${shape.name}.`)
      const kinds = columnKinds(table)
      const unknown = shape.columns.filter((column) => !kinds.has(column))
      if (unknown.length > 0)
        throw new Error(
          `Unknown columns of table ${shape.name} in the backup: ${unknown.join(', ')}.`,
        )
      const isBytes = shape.columns.map((column) => kinds.get(column) === 'bytes')
      counts.set(shape.name, await loadRows(tx, shape, isBytes, rows))
    }
    await settle()
  })
  return counts
}

async function loadRows(
  tx: Db,
  { name, columns }: TableShape,
  isBytes: readonly boolean[],
  rows: AsyncIterable<PlainRow>,
): Promise<number> {
  const { rows_at_once_max, values_at_once_max } = limits.backup
  const size = Math.max(
    1,
    Math.min(rows_at_once_max, Math.floor(values_at_once_max / columns.length)),
  )
  let batch: Record<string, unknown>[] = []
  let count = 0
  const flush = async () => {
    if (batch.length === 0) return
    await (tx as AnyDb).insertInto(name).values(batch).execute()
    count += batch.length
    batch = []
  }
  for await (const row of rows) {
    const entries = columns.map((column, at): [string, unknown] => {
      const value = row[at] ?? null
      return [column, isBytes[at] && value !== null ? Buffer.from(String(value), 'base64') : value]
    })
    batch.push(Object.fromEntries(entries))
    if (batch.length >= size) await flush()
  }
  await flush()
  return count
}

/** Until the end of the transaction nothing follows from a row; the function answered puts all of it back. */
async function loosenSqlite(tx: Db): Promise<() => Promise<void>> {
  await sql`pragma defer_foreign_keys = on`.execute(tx)
  const { rows: triggers } = await sql<{ name: string; sql: string }>`
    select name, sql from sqlite_master where type = 'trigger'`.execute(tx)
  for (const { name } of triggers) await sql`drop trigger ${sql.ref(name)}`.execute(tx)
  return async () => {
    for (const { sql: text } of triggers) await sql.raw(text).execute(tx)
    await rebuildTextIndexes(tx)
  }
}

async function loosenPostgres(tx: Db, tables: readonly string[]): Promise<() => Promise<void>> {
  const { rows: keys } = await sql<{ name: string; table: string; definition: string }>`
    select c.conname as name, r.relname as table, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class r on r.oid = c.conrelid join pg_namespace n on n.oid = r.relnamespace
    where c.contype = 'f' and n.nspname = current_schema()`.execute(tx)
  for (const { name, table } of keys) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(tx)
  }
  const triggers = async (state: 'enable' | 'disable') => {
    for (const table of tables) {
      await sql`alter table ${sql.table(table)} ${sql.raw(state)} trigger user`.execute(tx)
    }
  }
  await triggers('disable')
  return async () => {
    await triggers('enable')
    for (const { name, table, definition } of keys) {
      await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(
        tx,
      )
    }
  }
}

/** Rebuilds SQLite's full-text indexes from the rows. PostgreSQL maintains its indexes by itself. */
export async function rebuildTextIndexes(db: Db): Promise<string[]> {
  if (isPostgres(db)) return []
  const { rows } = await sql<{ name: string }>`
    select name from sqlite_master where type = 'table' and sql like 'create virtual table%fts5%'`.execute(
    db,
  )
  for (const { name } of rows) {
    await sql`insert into ${sql.table(name)} (${sql.ref(name)}) values ('rebuild')`.execute(db)
  }
  return rows.map(({ name }) => name)
}

/** Returns the highest id that each table has given out, including ids of deleted rows. */
export async function readSequences(db: Db): Promise<Record<string, number>> {
  if (!isPostgres(db)) {
    const { rows } = await sql<{ name: string; seq: number }>`
      select name, seq from sqlite_sequence`.execute(db)
    return Object.fromEntries(rows.map(({ name, seq }) => [name, seq]))
  }
  const { rows } = await sql<{ name: string; seq: number | null }>`
    select t.relname as name, s.last_value as seq
    from pg_depend d join pg_class q on q.oid = d.objid and q.relkind = 'S'
    join pg_class t on t.oid = d.refobjid join pg_namespace n on n.oid = t.relnamespace
    join pg_sequences s on s.schemaname = n.nspname and s.sequencename = q.relname
    where d.deptype in ('a', 'i') and n.nspname = current_schema()`.execute(db)
  return Object.fromEntries(rows.map(({ name, seq }) => [name, Number(seq ?? 0)]))
}

/** Makes each table continue after the given id, or after its highest id. */
export async function writeSequences(db: Db, sequences: Record<string, number>): Promise<void> {
  const current = await readSequences(db)
  for (const [table, seq] of Object.entries(sequences)) {
    if (!isPostgres(db)) {
      const next = Math.max(seq, current[table] ?? 0)
      await sql`delete from sqlite_sequence where name = ${table}`.execute(db)
      await sql`insert into sqlite_sequence (name, seq) values (${table}, ${next})`.execute(db)
    } else if (Object.hasOwn(current, table)) {
      const { rows } = await sql<{ id: number | null }>`
        select max(id) as id from ${sql.table(table)}`.execute(db)
      const next = Math.max(seq, Number(rows[0]?.id ?? 0))
      await sql`select setval(pg_get_serial_sequence(${table}, 'id'),
        cast(${Math.max(next, 1)} as bigint), ${next > 0})`.execute(db)
    }
  }
}

/** Returns the number of rows of each table. */
export async function countRowsByTable(db: Db): Promise<Map<string, number>> {
  const counts = new Map<string, number>()
  for (const { name } of await listDataTables(db)) {
    const { rows } = await sql<{ count: number }>`
      select count(*) as count from ${sql.table(name)}`.execute(db)
    counts.set(name, Number(rows[0]?.count ?? 0))
  }
  return counts
}
