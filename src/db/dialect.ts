// Every difference between SQLite and PostgreSQL that reaches beyond the drivers. It only grows:
// migrations are frozen and import nothing else.
import {
  type ColumnDefinitionBuilder,
  type Kysely,
  PostgresAdapter,
  type RawBuilder,
  type ReferenceExpression,
  type SqlBool,
  sql,
} from 'kysely'
import { limits } from '../kernel/limits.ts'

// Migrations and stores have different schema types, which do not matter here.
// biome-ignore lint/suspicious/noExplicitAny: see above.
type AnyDb = Kysely<any>

export function isPostgres(db: AnyDb): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}

/** The type and modifiers of a surrogate key. Neither database uses an id twice. */
export function identityColumn(db: AnyDb): {
  type: 'bigint' | 'integer'
  build: (column: ColumnDefinitionBuilder) => ColumnDefinitionBuilder
} {
  return isPostgres(db)
    ? { type: 'bigint', build: (column) => column.generatedByDefaultAsIdentity().primaryKey() }
    : { type: 'integer', build: (column) => column.autoIncrement().primaryKey() }
}

/** Serializes the value of a JSON column for binding. Reading the column returns the parsed value on both databases. */
export function toJson(value: unknown): string {
  return JSON.stringify(value)
}

/** The smaller of two numbers: `least` on PostgreSQL, `min` with two arguments on SQLite. */
export function smallerOfExpression(a: string, b: string): RawBuilder<number> {
  return sql<number>`case when ${sql.ref(a)} < ${sql.ref(b)} then ${sql.ref(a)} else ${sql.ref(b)} end`
}

/** The lower-case value of a column, for case-insensitive comparisons by the index on `lower(column)`. */
export function lowerCaseExpression(
  column: ReferenceExpression<never, never> | string,
): RawBuilder<string> {
  return sql<string>`lower(${sql.ref(column as string)})`
}

/**
 * A column in lower case, for a comparison with `text` in lower case. SQLite's `lower`, which its indexes use, changes only
 * ASCII letters; a text with other letters that have two cases is compared without an index.
 */
export function lowerCaseForExpression(
  db: AnyDb,
  column: string,
  text: string,
): RawBuilder<string> {
  const hasOwnLower = isPostgres(db) || ![...text].some(hasCaseBeyondAscii)
  return hasOwnLower ? lowerCaseExpression(column) : sql<string>`lower_unicode(${sql.ref(column)})`
}

function hasCaseBeyondAscii(character: string): boolean {
  return character > '\x7f' && character.toLowerCase() !== character.toUpperCase()
}

/** The sorted values of a query's column `value`, as the text of a JSON array. */
export function jsonTextArrayExpression(db: AnyDb, query: RawBuilder<unknown>): RawBuilder<string> {
  return isPostgres(db)
    ? sql<string>`(select coalesce(json_agg(t.value order by t.value), '[]')::text from (${query}) t)`
    : sql<string>`(select json_group_array(t.value order by t.value) from (${query}) t)`
}

/**
 * Returns a query of one column `id`. The ids are bound as a single value (`encodeIdSet`), so the statement is the same for
 * any number of ids.
 */
export function idSetQuery(db: AnyDb, text: string): RawBuilder<unknown> {
  return isPostgres(db)
    ? sql`select unnest(cast(${text} as bigint[])) as id`
    : sql`select value as id from json_each(${text})`
}

/**
 * Whether the column is one of the ids of a query that returns few. PostgreSQL turns the ids into an array first. Its
 * estimate then does not depend on the values, so it can keep the plan of a statement that takes long to plan.
 */
export function isInIdsCondition(
  db: AnyDb,
  column: string,
  query: RawBuilder<unknown>,
): RawBuilder<SqlBool> {
  return isPostgres(db)
    ? sql<SqlBool>`${sql.ref(column)} = any(array(${query}))`
    : sql<SqlBool>`${sql.ref(column)} in (${query})`
}

/**
 * A comment at the start of a query with patterns whose look-ups are limited by an index and a limit, whatever the patterns
 * are. It lets PostgreSQL keep the plan, as for queries without patterns.
 */
export const keepsPlanHint = sql.raw('/* keeps plan */')

export function encodeIdSet(db: AnyDb, ids: readonly number[]): string {
  return isPostgres(db) ? `{${ids.join(',')}}` : `[${ids.join(',')}]`
}

/**
 * Returns a query of the columns `a` and `b` from pairs of ids. The pairs are bound as two values, whatever their number.
 */
export function pairSetQuery(
  db: AnyDb,
  pairs: readonly (readonly [number, number])[],
): RawBuilder<unknown> {
  if (!isPostgres(db)) {
    return sql`select value ->> 0 as a, value ->> 1 as b from json_each(${JSON.stringify(pairs)})`
  }
  const [as, bs] = [pairs.map(([a]) => a), pairs.map(([, b]) => b)]
  return sql`select a, b from unnest(cast(${encodeIdSet(db, as)} as bigint[]), cast(${encodeIdSet(db, bs)} as bigint[])) as pair (a, b)`
}

/** A time given as text, in the type of timestamp columns. SQLite stores times as texts. */
export function timestampExpression(db: AnyDb, text: RawBuilder<string>): RawBuilder<string> {
  return isPostgres(db) ? sql<string>`cast(${text} as timestamptz)` : text
}

/** Escapes the characters that have a meaning in `like ... escape '\\'`. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** Searches use only the beginning of a longer text, since the work for each row grows with its length. */
const sought_characters_max = 255
/** How much of it is passed to PostgreSQL's `like`. */
const like_characters_max = 32

/** Returns the beginning of a search text, in lower case. */
function soughtPart(text: string): string {
  return firstCharacters(text, sought_characters_max).toLowerCase()
}

/** The first characters of a text; whole ones, where UTF-16 has two units for one. */
function firstCharacters(text: string, count: number): string {
  return text.length <= count ? text : [...text].slice(0, count).join('')
}

/** Whether one of the columns contains `text`, regardless of case. Only the first 255 characters of `text` are compared. */
export function containsTextCondition(
  db: AnyDb,
  columns: string | readonly string[],
  text: string,
): RawBuilder<boolean> {
  const part = soughtPart(text)
  const one = (column: string) => containsPartCondition(db, column, part)
  if (typeof columns === 'string') return one(columns)
  return sql<boolean>`(${sql.join(columns.map(one), sql` or `)})`
}

function containsPartCondition(db: AnyDb, column: string, part: string): RawBuilder<boolean> {
  const value = lowerCaseForExpression(db, column, part)
  // For texts with many partial matches, `like` takes a hundred times as long as `instr` and `strpos`.
  if (!isPostgres(db)) return sql<boolean>`instr(${value}, ${part}) > 0`
  // PostgreSQL's indexes support only `like`.
  const beginning = firstCharacters(part, like_characters_max)
  const fits = sql<boolean>`${value} like ${`%${escapeLike(beginning)}%`} escape '\\'`
  return beginning === part ? fits : sql<boolean>`(${fits} and strpos(${value}, ${part}) > 0)`
}

/**
 * The column in lower case, sorted by code point in every locale. The indexes that `startsWithCondition` uses are on this
 * expression.
 */
export function byteOrderExpression(db: AnyDb, column: string): RawBuilder<string> {
  return isPostgres(db)
    ? sql<string>`lower(${sql.ref(column)}) collate "C"`
    : sql<string>`lower(${sql.ref(column)})`
}

const last_character = '\u{10ffff}'

/** Whether `column` begins with `text`, regardless of the case of ASCII letters. */
export function startsWithCondition(db: AnyDb, column: string, text: string): RawBuilder<boolean> {
  const [key, first] = [byteOrderExpression(db, column), text.toLowerCase()]
  return sql<boolean>`${key} >= ${first} and ${key} < ${first + last_character}`
}

/** Full-text index tables of SQLite, updated by triggers. PostgreSQL has its indexes on the columns themselves. */
export type TextIndexName = 'project_texts' | 'user_texts' | 'issuable_texts'

/** The shortest text that a trigram index can search for. */
const indexed_characters_min = 3

/**
 * Whether `textMatchQuery` can find `text`. On PostgreSQL it is not needed: the planner estimates how rare a text is, and
 * uses the index by itself.
 */
export function isIndexSearchable(db: AnyDb, text: string): boolean {
  return !isPostgres(db) && [...text].length >= indexed_characters_min
}

/**
 * Returns the ids of all rows with `text` in an indexed column, and of some rows that contain only a part of it. Check them
 * with `containsTextCondition`.
 */
export function textMatchQuery(index: TextIndexName, text: string): RawBuilder<unknown> {
  const phrase = `"${partWithoutRepeats(soughtPart(text)).replaceAll('"', '""')}"`
  return sql`select rowid as id from ${sql.table(index)} where ${sql.ref(index)} match ${phrase}`
}

/**
 * Returns the longest part of a text in which no trigram occurs twice. For a phrase FTS5 visits all positions of each of
 * its trigrams, so a trigram that occurs a thousand times would cost a thousand passes over a row's text.
 */
function partWithoutRepeats(text: string): string {
  const characters = [...text]
  const lastPlaces = new Map<string, number>()
  let longest = { from: 0, to: indexed_characters_min }
  let from = 0
  for (let to = indexed_characters_min; to <= characters.length; to++) {
    const place = to - indexed_characters_min
    const three = characters.slice(place, to).join('')
    from = Math.max(from, (lastPlaces.get(three) ?? -1) + 1)
    lastPlaces.set(three, place)
    if (to - from > longest.to - longest.from) longest = { from, to }
  }
  return characters.slice(longest.from, longest.to).join('')
}

/**
 * How well the columns match the text: equal, starting with it, or containing it. Among equal matches the shorter value
 * ranks higher. 0 if no column matches.
 */
export function similarityExpression(
  db: AnyDb,
  text: string,
  columns: readonly string[],
): RawBuilder<number> {
  const wanted = soughtPart(text)
  const closeness = (column: string) => {
    const value = lowerCaseForExpression(db, column, wanted)
    const place = (pattern: string) => sql`${value} like ${pattern} escape '\\'`
    return sql<number>`case when ${value} = ${wanted} then 10000
      when ${place(`${escapeLike(wanted)}%`)} then 2000 - length(${value})
      when ${place(`%${escapeLike(wanted)}%`)} then 1000 - length(${value})
      else 0 end`
  }
  return sql<number>`${sql.join(columns.map(closeness), sql` + `)}`
}

/**
 * Takes the lock with that number until the end of the transaction, and waits while another transaction has it. Later reads
 * see what that one committed. On SQLite nothing is done, since it has one writer at a time.
 */
export async function lockUntilCommit(db: AnyDb, lock: number): Promise<void> {
  if (isPostgres(db)) await sql`select pg_advisory_xact_lock(${sql.lit(lock)})`.execute(db)
}

/**
 * Locks a row until the end of the transaction. Other transactions that lock, change or delete it wait; those that refer to
 * it do not. On SQLite nothing is done, since it has one writer at a time.
 */
export async function lockRowUntilCommit(db: AnyDb, table: string, id: number): Promise<void> {
  if (!isPostgres(db)) return
  await sql`select 1 from ${sql.table(table)} where id = ${id} for no key update`.execute(db)
}

/** Waits for all transactions that write to the table, and blocks others until the end of this one. */
export async function lockTable(db: AnyDb, table: string): Promise<void> {
  if (!isPostgres(db)) return
  await sql`lock table ${sql.table(table)} in share row exclusive mode`.execute(db)
}

const uniqueViolation = { sqlite: 'SQLITE_CONSTRAINT_UNIQUE', postgres: '23505' }

/**
 * Returns the name of the unique index that a statement violated; undefined for any other error. PostgreSQL reports it as a
 * field. SQLite reports it in the message: by index name for an index on an expression, otherwise by `table.column`.
 */
export function findViolatedIndex(error: unknown): string | undefined {
  const { code, constraint, message } = error as {
    code?: string
    constraint?: string
    message?: string
  }
  if (code === uniqueViolation.postgres) return constraint ?? ''
  if (code !== uniqueViolation.sqlite && code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') return undefined
  return /index '([^']+)'/.exec(message ?? '')?.[1] ?? message?.split('failed: ')[1] ?? ''
}

/** Whether a statement failed because a row it refers to does not exist, usually because it was deleted meanwhile. */
export function isForeignKeyViolation(error: unknown): boolean {
  const { code } = error as { code?: unknown }
  return code === '23503' || code === 'SQLITE_CONSTRAINT_FOREIGNKEY'
}

/**
 * Whether a column of type integer can store the number. PostgreSQL reports an error even for a comparison with a larger
 * one.
 */
export function isStorableInteger(value: number): boolean {
  return Math.abs(value) <= limits.integer_max
}

/** PostgreSQL's words for a text with NUL or half a character, and for a number beyond its column. */
const unstorable: ReadonlySet<unknown> = new Set(['22021', '22P05', '22003'])

/**
 * Whether a statement failed because the database cannot store a value. Parameters are validated earlier; this is for a
 * check that was forgotten. The mistake is the caller's, and nothing has changed.
 */
export function isUnstorableValueError(error: unknown): boolean {
  return unstorable.has((error as { code?: unknown }).code)
}
