import type { Socket } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import {
  type CompiledQuery,
  type DatabaseConnection,
  Kysely,
  PostgresDialect,
  PostgresDriver,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import { currentLargeReads } from '../kernel/large-reads.ts'
import { createLruCache } from '../kernel/lru.ts'
import { discardAfterCommitCallbacks, runAfterCommitCallbacks } from './after-commit.ts'
import { noteCommittedWrite } from './committed-writes.ts'
import { type CompiledStatement, setCompiledQueryReader } from './compiled-query.ts'
import { databaseErrorOf } from './database-away.ts'
import type { Db } from './db.ts'
import { registerPoolStats } from './pool-stats.ts'
import { RowCache } from './row-cache.ts'
import type { Schema } from './schema.ts'

const oids = { int8: 20, date: 1082, timestamptz: 1184 }

/** Rows look the same from both databases: numbers for bigint, ISO texts for dates and times. */
function parserOf(oid: number, format?: 'text' | 'binary'): (text: string) => unknown {
  if (oid === oids.int8) return Number
  if (oid === oids.date) return (text) => text
  if (oid === oids.timestamptz) return (text) => new Date(text).toISOString()
  return pg.types.getTypeParser(oid, format)
}

/**
 * PostgreSQL raises it for a plan made before a column was added. A newer node that starts beside this one
 * does that.
 */
const stalePlan = '0A000'

/** Waits for an answer of the database; throws a `DatabaseAwayError` where the database cannot be reached. */
async function answerOf<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked
  } catch (error) {
    throw databaseErrorOf(error)
  }
}

/** Runs a statement by its name, which each connection has parsed and planned once. */
async function runPrepared(
  pool: pg.Pool,
  { name, sql: text, parameters }: CompiledStatement,
): Promise<pg.QueryResult> {
  const values = [...parameters]
  try {
    return await answerOf(pool.query({ name, text, values }))
  } catch (error) {
    if ((error as pg.DatabaseError).code !== stalePlan) throw error
    return answerOf(pool.query({ text, values }))
  }
}

/** Which transactions have ended. The value stays the same until a transaction that writes ends. */
const snapshot = { name: 'snapshot', text: 'select pg_current_snapshot()::text as snapshot' }

/**
 * Reads fixed statements and reuses their rows until any transaction has written to the server, from whatever client
 * (PostgreSQL: "Transaction ID and Snapshot Information Functions"). Before each reuse it asks whether one has; callers
 * at the same moment share that query.
 */
class FixedReader {
  readonly #pool: pg.Pool
  readonly #kept = new RowCache()
  /** The question on its way, and the one that is asked when it is answered. */
  #asked: Promise<void> = Promise.resolve()
  #next: Promise<void> | undefined

  constructor(pool: pg.Pool) {
    this.#pool = pool
  }

  async read(statement: CompiledStatement): Promise<readonly object[]> {
    if (!statement.isKept) return (await runPrepared(this.#pool, statement)).rows
    const key = this.#kept.keyOf(statement)
    if (this.#kept.version === undefined || this.#kept.has(key)) await this.#checkVersion()
    const kept = this.#kept.find(key)
    if (kept) return kept
    const { version } = this.#kept
    const { rows } = await runPrepared(this.#pool, statement)
    // What was found may be newer than this version, but then the next check finds another one.
    if (version === this.#kept.version) this.#kept.keep(key, rows)
    return rows
  }

  /** Forgets what is out of date. A question that was sent before this call does not count. */
  #checkVersion(): Promise<void> {
    this.#next ??= this.#asked.then(() => {
      this.#next = undefined
      const answered = answerOf(this.#pool.query<{ snapshot: string }>(snapshot)).then(({ rows }) =>
        this.#kept.moveTo(rows[0]?.snapshot),
      )
      this.#asked = answered.catch(() => {})
      return answered
    })
    return this.#next
  }
}

/** Whether a statement changes rows; one written as text by its words. */
function isWrite({ query, sql }: CompiledQuery): boolean {
  if (query.kind === 'RawNode')
    return /\b(insert into|delete from|merge into|update \S+ set)\b/i.test(sql)
  return writingKinds.has(query.kind)
}

const writingKinds: ReadonlySet<string> = new Set([
  ...['InsertQueryNode', 'UpdateQueryNode', 'DeleteQueryNode', 'MergeQueryNode'],
])

/** How often a text comes before it gets a name, and how many get one: each connection keeps what has a name. */
const named_after = 3
const named_max = 400

/**
 * Texts whose best plan hangs on their values: how much a pattern fits, and how soon a page is full. PostgreSQL makes
 * the plan of a named statement from averages if the first values were dear (PostgreSQL: PREPARE, "Notes").
 */
const valuesMatter = / i?like | limit \$/
/** Unless the query says that they do not: `keepsPlanHint`. */
const keptAnyway = 'select /* keeps plan */'

/** Of tables that a newer node may add columns to: PostgreSQL then refuses the plan, and so ends the transaction. */
const allColumns = /(?:select |returning |\.)\*/

type Named = { name: string; text: string; hasAllColumns: boolean }

/**
 * Names for the texts that come often, so that each connection parses them once and, after a few runs, plans them once:
 * for most statements PostgreSQL takes longer to do both than to run them.
 */
class StatementNames {
  readonly #named = new Map<string, Named>()
  readonly #counts = createLruCache<number>(1000)

  /** The name of a statement; undefined for one that has none. */
  find(text: string): Named | undefined {
    const known = this.#named.get(text)
    if (known || this.#named.size === named_max) return known
    if (valuesMatter.test(text) && !text.startsWith(keptAnyway)) return undefined
    const count = (this.#counts.get(text) ?? 0) + 1
    this.#counts.set(text, count)
    if (count < named_after) return undefined
    const name = `often_${this.#named.size}`
    const named = { name, text, hasAllColumns: allColumns.test(text) }
    this.#named.set(text, named)
    return named
  }
}

/**
 * Reports the ends of transactions, committed writes, and a database that cannot be reached; names the statements that
 * come often.
 */
class TellingDriver extends PostgresDriver {
  readonly #connections = new WeakSet<DatabaseConnection>()
  /** Connections with a transaction, and whether it has written. */
  readonly #transactions = new Map<DatabaseConnection, boolean>()
  readonly #names = new StatementNames()

  override async acquireConnection(
    ...options: Parameters<PostgresDriver['acquireConnection']>
  ): Promise<DatabaseConnection> {
    await currentLargeReads()?.beforeRead()
    const connection = await answerOf(super.acquireConnection(...options))
    if (!this.#connections.has(connection)) {
      this.#connections.add(connection)
      const execute = connection.executeQuery.bind(connection)
      connection.executeQuery = async <Row>(query: CompiledQuery) => {
        const answer = await answerOf(this.#execute<Row>(connection, execute, query))
        if (isWrite(query)) this.#noteWrite(connection)
        else currentLargeReads()?.addRows(query.sql, answer.rows as Record<string, unknown>[])
        return answer
      }
    }
    return connection
  }

  #noteWrite(connection: DatabaseConnection): void {
    if (this.#transactions.has(connection)) this.#transactions.set(connection, true)
    else noteCommittedWrite()
  }

  async #execute<Row>(
    connection: DatabaseConnection,
    execute: DatabaseConnection['executeQuery'],
    query: CompiledQuery,
  ): Promise<QueryResult<Row>> {
    // Statements without parameters are mostly commands such as `begin`.
    const isNameable = query.parameters.length > 0 || query.query.kind === 'SelectQueryNode'
    const named = isNameable ? this.#names.find(query.sql) : undefined
    const isInTransaction = this.#transactions.has(connection)
    if (!named || (named.hasAllColumns && isInTransaction)) return execute<Row>(query)
    const { name, text } = named
    try {
      // The library takes a text with its name where Kysely's type knows only the text.
      return await execute<Row>({ ...query, sql: { name, text } as unknown as string })
    } catch (error) {
      if ((error as pg.DatabaseError).code !== stalePlan || isInTransaction) throw error
      return execute<Row>(query)
    }
  }

  override async beginTransaction(
    ...[connection, settings]: Parameters<PostgresDriver['beginTransaction']>
  ): Promise<void> {
    await super.beginTransaction(connection, settings)
    this.#transactions.set(connection, false)
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    const hasWritten = this.#transactions.get(connection)
    this.#transactions.delete(connection)
    await super.commitTransaction(connection)
    if (hasWritten) noteCommittedWrite()
    runAfterCommitCallbacks(connection)
  }

  override async releaseConnection(
    ...[connection]: Parameters<PostgresDriver['releaseConnection']>
  ): Promise<void> {
    this.#transactions.delete(connection)
    await super.releaseConnection(connection)
  }

  override async rollbackTransaction(
    connection: Parameters<PostgresDriver['rollbackTransaction']>[0],
  ): Promise<void> {
    this.#transactions.delete(connection)
    discardAfterCommitCallbacks(connection)
    await super.rollbackTransaction(connection)
  }
}

class TellingDialect extends PostgresDialect {
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    super({ pool })
    this.#pool = pool
  }

  override createDriver(): PostgresDriver {
    return new TellingDriver({ pool: this.#pool })
  }
}

/**
 * The cost of a random page read relative to a sequential one. PostgreSQL's default of 4 is for spinning disks ("Planner
 * Cost Constants"): with it, searches of many users scan the whole table instead of its index.
 */
const pageCost = 'set random_page_cost = 1.1'

/**
 * PostgreSQL ends the session of a server that it cannot reach any more after a minute, and with it the locks of its
 * transaction; the kernel would take hours (PostgreSQL: "Connections and Authentication", "TCP Settings").
 */
const keepalives =
  'set tcp_keepalives_idle = 30; set tcp_keepalives_interval = 10; set tcp_keepalives_count = 3; set tcp_user_timeout = 60000'

/** Options of each connection. On an idle one the kernel checks every half minute whether the other end is alive. */
const connecting = {
  connectionTimeoutMillis: 10_000,
  keepAlive: true,
  keepAliveInitialDelayMillis: 30_000,
}

/** The maximum duration of a statement, unless the URL sets another one. */
const statement_ms_default = 60_000

/** Returns the maximum duration of a statement on connections to `url`. */
function readStatementTimeout_ms(url: string): number {
  return Number(URL.parse(url)?.searchParams.get('statement_timeout') ?? statement_ms_default)
}

/**
 * Fields of a client that the library's types leave out: its socket, the process id of its session, and whether it is
 * idle.
 */
type OpenClient = { connection: { stream: Socket }; processID: number; readyForQuery: boolean }

/** After how long without a byte of an answer the database is asked whether it works on the statement. */
function lookTime_ms(statement_ms: number): number {
  return Math.min(10_000, statement_ms / 2)
}

/** How long a response may still be in transit after PostgreSQL reports the session as idle. */
const arrival_ms = 1_000

/**
 * Gives a connection up on which no answer comes any more: packets are lost on the way. The kernel would go on sending for a quarter
 * of an hour. At the latest it is given up when PostgreSQL would have ended the statement. Between two statements of a
 * transaction nothing is waited for.
 */
function endWhenSilent(client: OpenClient, url: string, statement_ms: number): void {
  const { stream } = client.connection
  const look_ms = lookTime_ms(statement_ms)
  let waiting = { bytes: -1, looks: 0 }
  const look = async () => {
    if (client.readyForQuery) return
    const bytes = stream.bytesRead
    if (waiting.bytes !== bytes) waiting = { bytes, looks: 0 }
    waiting.looks += 1
    const end = (reason: string) => {
      // A message has arrived since.
      if (client.readyForQuery || stream.bytesRead !== bytes) return
      stream.destroy(new Error(`Connection terminated: ${reason}`))
    }
    if (waiting.looks * look_ms >= statement_ms * 1.5) return end('the database does not answer')
    if (await isAnswerLost(url, client.processID, look_ms / 2)) {
      await setTimeout(arrival_ms)
      return end('the answer of the database was lost')
    }
    stream.setTimeout(look_ms)
  }
  stream.setTimeout(look_ms)
  stream.on('timeout', () => void look())
}

/**
 * Asks PostgreSQL through a separate connection. Returns true if the database cannot be reached or the session of this
 * process is idle. Returns false if the process is unknown: a pooler in between has process ids of its own.
 */
async function isAnswerLost(url: string, process_id: number, wait_ms: number): Promise<boolean> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: wait_ms,
    query_timeout: wait_ms,
  })
  client.on('error', () => {})
  const text = "select 1 from pg_stat_activity where pid = $1 and state like 'idle%'"
  try {
    await client.connect()
    const { rows } = await client.query(text, [process_id])
    return rows.length > 0
  } catch (error) {
    // A server that refuses a login is reachable.
    return !(error instanceof pg.DatabaseError)
  } finally {
    ;(client as unknown as OpenClient).connection.stream.destroy()
  }
}

/** Opens Kysely over a pool of connections to the database at `url`. `onQuery` is called with each statement. */
export function openPostgres(url: string, onQuery?: (sql: string) => void): Db {
  const statement_ms = readStatementTimeout_ms(url)
  const pool = new pg.Pool({
    connectionString: url,
    max: 10,
    ...connecting,
    statement_timeout: statement_ms,
    onConnect: async (client) => {
      endWhenSilent(client as unknown as OpenClient, url, statement_ms)
      // By a statement: not every pooler in between takes settings with the first message.
      await client.query(`${pageCost}; ${keepalives}`)
    },
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  })
  // A connection that breaks is replaced at the next query, and fails the next one of its transaction. Without a listener,
  // while it is idle or between two statements, it would end us.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<Schema>({
    dialect: new TellingDialect(pool),
    log: onQuery ? (event) => onQuery(event.query.sql) : undefined,
  })
  registerPoolStats(db, () => ({
    busy: pool.totalCount - pool.idleCount,
    idle: pool.idleCount,
    waiting: pool.waitingCount,
  }))
  const reader = new FixedReader(pool)
  setCompiledQueryReader(db, async <Row>(statement: CompiledStatement) => {
    onQuery?.(statement.sql)
    return (await reader.read(statement)) as readonly Row[]
  })
  return db
}

/** A separate connection for statements without parameters. Rows are lists of values as PostgreSQL sends them. */
export type PostgresSession = {
  query: (text: string) => Promise<unknown[][]>
  end: () => Promise<void>
}

/** Opens a session without a time limit for statements. */
export async function openPostgresSession(url: string): Promise<PostgresSession> {
  const client = new pg.Client({
    connectionString: url,
    ...connecting,
    types: { getTypeParser: parserOf as typeof pg.types.getTypeParser },
  })
  // The next statement fails.
  client.on('error', () => {})
  await client.connect()
  return {
    async query(text) {
      const { rows } = await client.query<unknown[]>({ text, rowMode: 'array' })
      return rows
    },
    end: () => client.end(),
  }
}

export type ChannelListener = { end: () => Promise<void> }

/**
 * Listens to a channel on a separate connection, which is reopened a second after it is lost. Each time it sends
 * `greeting` to the channel and calls `begin`; earlier messages are not received. A statement every ten seconds detects a
 * connection whose packets are lost, which would otherwise look like a silent channel.
 */
export function listenToChannel(
  url: string,
  channel: string,
  { greeting, begin, hear }: { greeting: string; begin: () => void; hear: (text: string) => void },
): ChannelListener {
  const statement_ms = readStatementTimeout_ms(url)
  let isEnding = false
  let client: pg.Client | undefined
  let timer: NodeJS.Timeout | undefined
  const open = async () => {
    const opened = new pg.Client({
      connectionString: url,
      ...connecting,
      // The name that operators see in pg_stat_activity.
      application_name: channel,
    })
    client = opened
    let isLost = false
    const lose = () => {
      if (isLost) return
      isLost = true
      clearTimeout(timer)
      endAtOnce(opened).catch(() => {})
      if (!isEnding) timer = globalThis.setTimeout(open, listen_again_ms).unref()
    }
    const checkLater = () => {
      const check = () => opened.query('select 1').then(checkLater, lose)
      if (!isLost) timer = globalThis.setTimeout(check, lookTime_ms(statement_ms)).unref()
    }
    opened.on('error', lose)
    opened.on('end', lose)
    opened.on('notification', ({ payload = '' }) => hear(payload))
    try {
      await opened.connect()
      endWhenSilent(opened as unknown as OpenClient, url, statement_ms)
      await opened.query(`listen ${channel}`)
      await opened.query('select pg_notify($1, $2)', [channel, greeting])
      begin()
      checkLater()
    } catch {
      lose()
    }
  }
  open()
  return {
    async end() {
      isEnding = true
      clearTimeout(timer)
      if (client) await endAtOnce(client).catch(() => {})
    },
  }
}

/** Tells PostgreSQL that the session ends, and does not wait for it to close the connection: it may be out of reach. */
function endAtOnce(client: pg.Client): Promise<void> {
  const ended = client.end()
  ;(client as unknown as OpenClient).connection.stream.destroySoon()
  return ended
}

const listen_again_ms = 1_000
