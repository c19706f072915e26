import { type Kysely, sql } from 'kysely'
import { isPostgres } from '../dialect.ts'

/** What is searched by parts of its texts. */
const searched = { project: ['path', 'name', 'description'], user: ['name', 'username'] }

/** Indexes of every three characters in a row, by which a part of a name is found. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen and knows no schema type.
export async function up(db: Kysely<any>): Promise<void> {
  for (const [noun, columns] of Object.entries(searched)) {
    if (isPostgres(db)) await indexInPlace(db, `${noun}s`, columns)
    else await indexBeside(db, noun, columns)
  }
}

/** Where the extension cannot be had, searches look through all rows, as they did before. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
async function indexInPlace(db: Kysely<any>, table: string, columns: string[]): Promise<void> {
  const indexes = columns.map(
    (column) =>
      `create index ${table}_${column}_trigrams on ${table} using gin (lower(${column}) gin_trgm_ops);`,
  )
  await sql
    .raw(
      `do $$ begin create extension if not exists pg_trgm; ${indexes.join(' ')}
      exception when others then raise notice 'no trigrams: %', sqlerrm; end $$`,
    )
    .execute(db)
}

/** A table of FTS5 holds the index alone; triggers tell it what changes. */
// biome-ignore lint/suspicious/noExplicitAny: as above.
async function indexBeside(db: Kysely<any>, noun: string, columns: string[]): Promise<void> {
  const [table, index] = [`${noun}s`, `${noun}_texts`]
  const names = columns.join(', ')
  const of = (row: 'old' | 'new') => columns.map((column) => `${row}.${column}`).join(', ')
  const add = `insert into ${index} (rowid, ${names}) values (new.id, ${of('new')});`
  const remove = `insert into ${index} (${index}, rowid, ${names}) values ('delete', old.id, ${of('old')});`
  const statements = [
    `create virtual table ${index} using fts5 (${names},
      content = '${table}', content_rowid = 'id', tokenize = 'trigram')`,
    `create trigger ${index}_insert after insert on ${table} begin ${add} end`,
    `create trigger ${index}_delete after delete on ${table} begin ${remove} end`,
    `create trigger ${index}_update after update of ${names} on ${table} begin ${remove} ${add} end`,
    `insert into ${index} (${index}) values ('rebuild')`,
  ]
  for (const statement of statements) await sql.raw(statement).execute(db)
}
