// Recognizes errors of a PostgreSQL that restarts or cannot be reached. SQLite runs inside of the process.

/** Codes of connections that could not be opened or that broke (Node: "Common system errors"). */
const systemCodes: ReadonlySet<unknown> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['EHOSTUNREACH', 'ENETUNREACH', 'ENOENT'],
])

/**
 * Codes of a server that is shutting down, has crashed, is starting, or has no free connection (PostgreSQL: "PostgreSQL
 * Error Codes").
 */
const serverCodes: ReadonlySet<unknown> = new Set(['57P01', '57P02', '57P03', '53300'])

/** Errors of the client library that have no code. */
const messages = [
  'Connection terminated',
  'timeout exceeded when trying to connect',
  'Client has encountered a connection error',
  'Client was closed and is not queryable',
]

/**
 * The database cannot be reached, or the connection broke. The change that was requested may or may not have been committed.
 */
export class DatabaseAwayError extends Error {
  constructor(cause: Error) {
    super('The database cannot be reached', { cause })
    this.name = 'DatabaseAwayError'
  }
}

/** Returns a DatabaseAwayError for an error of the connection to the database, and any other error unchanged. */
export function databaseErrorOf(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  const { code } = error as { code?: unknown }
  const isAway =
    systemCodes.has(code) ||
    serverCodes.has(code) ||
    // Class 08: connection exceptions.
    (typeof code === 'string' && /^08\w{3}$/.test(code)) ||
    messages.some((message) => error.message.startsWith(message))
  return isAway ? new DatabaseAwayError(error) : error
}

type Log = Record<'warn' | 'error', (fields: object, message: string) => void>

/** Logs a failure under the name `event`: as an error, or as a warning if the database could not be reached. */
export function logFailure(
  log: Log,
  error: unknown,
  { event = 'fault', ...fields }: { event?: string; [field: string]: unknown } = {},
): void {
  if (error instanceof DatabaseAwayError) {
    log.warn({ ...fields, event, reason: String(error.cause) }, 'database away')
  } else {
    const { stderr } = error as { stderr?: string }
    log.error({ ...fields, err: error, stderr }, event)
  }
}
