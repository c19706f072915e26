// Kysely's driver over better-sqlite3: one connection that writes, in turn, and one that only reads
// beside it; prepared statements are kept by their text (preparing costs ten times a look-up).
import Database from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type JoinNode,
  type Kysely,
  type LimitNode,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { LRUCache } from 'lru-cache'
import { currentLargeReads } from '../kernel/large-reads.ts'
import { Semaphore } from '../kernel/semaphore.ts'
import { discardAfterCommitCallbacks, runAfterCommitCallbacks } from './after-commit.ts'
import type { CompiledStatement } from './compiled-query.ts'
import type { PoolStats } from './pool-stats.ts'
import { RowCache } from './row-cache.ts'
import { WalCheckpointer } from './wal-checkpointer.ts'
import { WalFlush } from './wal-flush.ts'
import { isUnflushed } from './without-flush.ts'

type Row = Record<string, unknown>
type Converter = (row: Row) => void
type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>
/** Pages of the log, and how many of them are in the database file. */
type WalPages = { log: number; checkpointed: number }
type Prepared = { statement: Database.Statement; convert: Converter | undefined }

/** Rows of an index that are looked at for the planner's statistics: enough for plans, and quick. */
const analysis_limit = 400
const statistics_interval_ms = 60 * 60_000

/** Pages of the write-ahead log that a checkpoint pays for, as SQLite's own default says. */
const checkpoint_pages = 1000
/** At so many the commit itself makes the checkpoint: then the thread for it does not get on. */
const checkpoint_pages_max = 20_000
/** How many flushes go by before the size of the log is checked again. */
const flushes_per_look = 16

/** A handle of the database with its prepared statements. */
class Handle {
  readonly database: Database.Database
  readonly #statements = new LRUCache<string, Prepared>({ max: 1000 })

  constructor(path: string, options: Database.Options) {
    this.database = new Database(path, options)
    this.database.pragma('busy_timeout = 5000')
    this.database.pragma('foreign_keys = ON')
    this.database.pragma('cache_size = -16000')
    this.database.pragma(`analysis_limit = ${analysis_limit}`)
    // SQLite's own `lower` changes ASCII letters alone (dialect.ts, lowerCaseForExpression).
    this.database.function('lower_unicode', { deterministic: true }, (text) =>
      typeof text === 'string' ? text.toLowerCase() : text,
    )
  }

  prepare(sql: string): Prepared {
    let prepared = this.#statements.get(sql)
    if (!prepared) {
      const statement = this.database.prepare(sql)
      prepared = { statement, convert: statement.reader ? converterOf(statement) : undefined }
      this.#statements.set(sql, prepared)
    }
    return prepared
  }

  /** A changed schema leaves kept statements with columns they were not prepared for. */
  forgetStatements(): void {
    this.#statements.clear()
  }
}

/** SQLite has no booleans and no JSON values; their declared types say which columns to turn. */
function converterOf(statement: Database.Statement): Converter | undefined {
  const booleans: string[] = []
  const jsons: string[] = []
  for (const { name, type } of statement.columns()) {
    if (type === 'boolean') booleans.push(name)
    else if (type === 'jsonb') jsons.push(name)
  }
  if (booleans.length === 0 && jsons.length === 0) return undefined
  return (row) => {
    for (const name of booleans) if (row[name] !== null) row[name] = row[name] === 1
    for (const name of jsons) if (row[name] !== null) row[name] = JSON.parse(row[name] as string)
  }
}

function bindable(value: unknown): unknown {
  if (typeof value === 'boolean') return value ? 1 : 0
  return value === undefined ? null : value
}

class SqliteConnection implements DatabaseConnection {
  readonly #driver: SqliteDriver
  endTransaction: (() => void) | undefined
  /** Whether the transaction has written. */
  hasWritten = false

  constructor(driver: SqliteDriver) {
    this.#driver = driver
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    this.#driver.onQuery?.(query.sql)
    const isSelect = query.query.kind === 'SelectQueryNode'
    const { writer } = this.#driver
    if (this.endTransaction) {
      this.hasWritten ||= isWrite(writer, query)
      return run(writer, query)
    }
    if (isSelect && this.#driver.hasReader) return this.#driver.read(query)
    let hasWritten = false
    const result = await this.#driver.writeTurn.run(async () => {
      this.#driver.endSnapshot()
      hasWritten = isWrite(writer, query)
      return run<R>(writer, query)
    })
    if (hasWritten && !isUnflushed(query.query)) await this.#driver.flush()
    return result
  }

  // biome-ignore lint/correctness/useYield: Kysely asks for the method; no store streams.
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('The SQLite driver does not support streaming queries.')
  }
}

const isWrite = (handle: Handle, { sql }: Statement): boolean =>
  !handle.prepare(sql).statement.readonly

function run<R>(handle: Handle, { sql, parameters }: Statement): QueryResult<R> {
  const { statement, convert } = handle.prepare(sql)
  const values = parameters.map(bindable)
  if (statement.reader) {
    const rows = statement.all(values) as Row[]
    if (convert) for (const row of rows) convert(row)
    return { rows: rows as R[] }
  }
  const { changes, lastInsertRowid } = statement.run(values)
  if (/^\s*(create|drop|alter)\b/i.test(sql)) handle.forgetStatements()
  return { insertId: BigInt(lastInsertRowid), numAffectedRows: BigInt(changes), rows: [] }
}

/**
 * Reads share one snapshot for as long as the process runs without turning to its event loop: taking
 * and releasing SQLite's locks costs as much as a look-up. Whatever is written ends it first, so that
 * what was committed is seen by the very next read.
 */
class SqliteDriver implements Driver {
  readonly #path: string
  readonly onQuery: ((sql: string) => void) | undefined
  /** Lets one transaction at a time write, the others in their order. */
  readonly writeTurn: Semaphore
  #writer: Handle | undefined
  #reader: Handle | undefined
  #hasSnapshot = false
  #kept = new RowCache()
  #isKeptCurrent = false
  #timer: NodeJS.Timeout | undefined
  readonly #checkpoints: WalCheckpointer
  #log: WalFlush | undefined
  #flushes = 0

  constructor(path: string, { onQuery, writeTurn = new Semaphore(1) }: SqliteOptions) {
    this.#path = path
    this.onQuery = onQuery
    this.writeTurn = writeTurn
    this.#checkpoints = new WalCheckpointer(path)
  }

  get writer(): Handle {
    if (!this.#writer) throw new Error(`The database ${this.#path} is not open.`)
    return this.#writer
  }

  read<R>(query: Statement): QueryResult<R> {
    const result = run<R>(this.#readInSnapshot(), query)
    currentLargeReads()?.addRows(query.sql, result.rows as Row[])
    return result
  }

  /**
   * The rows of a fixed statement, which nobody changes. Those found before for the same values are found
   * again as long as nobody has written to the database: the snapshot itself says so (sqlite.org: PRAGMA
   * data_version), whoever wrote.
   */
  readFixed(statement: CompiledStatement): readonly Row[] {
    const reader = this.#readInSnapshot()
    if (!statement.isKept) return run<Row>(reader, statement).rows
    if (!this.#isKeptCurrent) {
      this.#isKeptCurrent = true
      this.#kept.moveTo(reader.prepare('pragma data_version').statement.pluck().get())
    }
    const key = this.#kept.keyOf(statement)
    const kept = this.#kept.find(key)
    if (kept) return kept
    const { rows } = run<Row>(reader, statement)
    this.#kept.keep(key, rows)
    return rows
  }

  #readInSnapshot(): Handle {
    const reader = this.#reader ?? this.writer
    if (!this.#hasSnapshot && this.#reader) {
      reader.prepare('begin').statement.run()
      this.#hasSnapshot = true
      setImmediate(() => this.endSnapshot())
    }
    return reader
  }

  endSnapshot(): void {
    if (!this.#hasSnapshot) return
    this.#hasSnapshot = false
    this.#isKeptCurrent = false
    this.#reader?.prepare('commit').statement.run()
  }

  get hasReader(): boolean {
    return this.#reader !== undefined
  }

  async init(): Promise<void> {
    this.#writer = new Handle(this.#path, {})
    this.#writer.database.pragma('journal_mode = WAL')
    // Commits wait for `flush`. Checkpoints sync to disk in this mode, too.
    this.#writer.database.pragma('synchronous = NORMAL')
    this.#writer.database.pragma(`wal_autocheckpoint = ${checkpoint_pages_max}`)
    this.#log = await WalFlush.open(this.#path)
    this.#refreshStatistics()
    this.#timer = setInterval(() => {
      this.writeTurn.run(async () => this.#refreshStatistics()).catch(() => {})
    }, statistics_interval_ms)
    this.#timer.unref()
  }

  /**
   * Lets SQLite count again what has changed much since it last did (sqlite.org: PRAGMA optimize); without
   * that its planner overlooks good indexes. A connection reads the counts when it is opened.
   */
  #refreshStatistics(): void {
    this.writer.database.pragma('optimize = 0x10002')
    this.endSnapshot()
    this.#reader?.database.close()
    this.#reader = new Handle(this.#path, { readonly: true })
    // Each connection counts versions for itself.
    this.#kept = new RowCache()
  }

  async acquireConnection(): Promise<DatabaseConnection> {
    await currentLargeReads()?.beforeRead()
    return new SqliteConnection(this)
  }

  async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const release = await this.writeTurn.acquire()
    try {
      this.writer.prepare('begin immediate').statement.run()
    } catch (error) {
      release()
      throw error
    }
    ;(connection as SqliteConnection).endTransaction = release
  }

  async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const { hasWritten } = connection as SqliteConnection
    this.#end(connection as SqliteConnection, 'commit')
    if (hasWritten) await this.flush()
    runAfterCommitCallbacks(connection)
  }

  /** Resolves when everything committed so far is on the disk; others may write meanwhile. */
  async flush(): Promise<void> {
    await this.#log?.flush()
    if (++this.#flushes < flushes_per_look || !this.#writer) return
    // The next transaction may be open by now, and SQLite counts nothing then.
    if (this.#writer.database.inTransaction) return
    this.#flushes = 0
    // The mode NOOP only counts (sqlite.org: PRAGMA wal_checkpoint).
    const [found] = this.#writer.database.pragma('wal_checkpoint(NOOP)') as WalPages[]
    if (found && found.log - found.checkpointed >= checkpoint_pages) this.#checkpoints.begin()
  }

  async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    discardAfterCommitCallbacks(connection)
    // SQLite itself rolls back on some errors (a full disk); then there is nothing left to end.
    if (this.writer.database.inTransaction) this.#end(connection as SqliteConnection, 'rollback')
    else this.#leave(connection as SqliteConnection)
  }

  #end(connection: SqliteConnection, how: 'commit' | 'rollback'): void {
    this.endSnapshot()
    this.writer.prepare(how).statement.run()
    this.#leave(connection)
  }

  #leave(connection: SqliteConnection): void {
    connection.endTransaction?.()
    connection.endTransaction = undefined
    connection.hasWritten = false
  }

  async releaseConnection(): Promise<void> {}

  async destroy(): Promise<void> {
    const release = await this.writeTurn.acquire()
    clearInterval(this.#timer)
    this.endSnapshot()
    this.#reader?.database.close()
    await this.#checkpoints.close()
    await this.#log?.close()
    this.#writer?.database.close()
    this.#writer = undefined
    this.#reader = undefined
    release()
  }
}

const hidden_parameters_max = 32
const parameter = Symbol('parameter')

/**
 * For a query with a join SQLite's planner looks at the bound values and so plans it anew at each run, for several times
 * the cost of the run. It does not look at a parameter within a scalar subquery, so parameters are compiled to one. Two
 * kinds stay visible because the plan gains by them: the limit of a list, and a value that lets a query of one table use
 * a partial index.
 */
class HidingQueryCompiler extends SqliteQueryCompiler {
  #pieces: (string | typeof parameter)[] = []
  #hasJoin = false
  #hasLimit = false

  override compileQuery(...query: Parameters<SqliteQueryCompiler['compileQuery']>): CompiledQuery {
    this.#pieces = []
    this.#hasJoin = false
    this.#hasLimit = false
    const compiled = super.compileQuery(...query)
    const isHidden =
      query[0].kind === 'SelectQueryNode' &&
      this.#hasJoin &&
      !this.#hasLimit &&
      compiled.parameters.length <= hidden_parameters_max
    const placeholder = isHidden ? '(select ?)' : '?'
    const sql = this.#pieces.map((piece) => (piece === parameter ? placeholder : piece)).join('')
    return { ...compiled, sql }
  }

  protected override append(text: string): void {
    this.#pieces.push(text)
  }

  protected override appendValue(value: unknown): void {
    this.addParameter(value)
    this.#pieces.push(parameter)
  }

  protected override visitJoin(node: JoinNode): void {
    this.#hasJoin = true
    super.visitJoin(node)
  }

  protected override visitLimit(node: LimitNode): void {
    this.#hasLimit = true
    super.visitLimit(node)
  }
}

class TransactionalSqliteAdapter extends SqliteAdapter {
  /** Who writes waits for the driver's own turn, and only until the commit: Kysely's would last until the flush. */
  override get supportsMultipleConnections(): boolean {
    return true
  }

  /** SQLite rolls schema changes back like any others; Kysely's default does not rely on it. */
  override get supportsTransactionalDdl(): boolean {
    return true
  }
}

/** Runs a fixed statement and returns its rows at once; undefined before the database is open. */
export type SynchronousReader = <R>(statement: CompiledStatement) => readonly R[]

type SqliteOptions = {
  /** Told every statement. */
  onQuery?: (sql: string) => void
  /** By default that of this process alone. */
  writeTurn?: Semaphore
}

/**
 * Returns Kysely's dialect for the SQLite file at `path`, and a reader for compiled statements that does not go through
 * Kysely.
 */
export function sqliteDialect(
  path: string,
  options: SqliteOptions,
): { dialect: Dialect; read: SynchronousReader; figures: () => PoolStats } {
  const driver = new SqliteDriver(path, options)
  const dialect = {
    createAdapter: () => new TransactionalSqliteAdapter(),
    createDriver: () => driver,
    createIntrospector: (db: Kysely<unknown>) => new SqliteIntrospector(db),
    createQueryCompiler: () => new HidingQueryCompiler(),
  }
  const read: SynchronousReader = <R>(statement: CompiledStatement) => {
    options.onQuery?.(statement.sql)
    return driver.readFixed(statement) as readonly R[]
  }
  const figures = () => {
    const { isTaken, waiting } = driver.writeTurn
    return { busy: isTaken ? 1 : 0, idle: isTaken ? 0 : 1, waiting }
  }
  return { dialect, read, figures }
}
