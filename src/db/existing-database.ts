// What a restore checks and changes in an existing database.
import { existsSync, renameSync } from 'node:fs'
import Database from 'better-sqlite3'
import { isPostgresUrl } from './open.ts'

/** Whether the database has any tables. */
export async function hasTables(url: string): Promise<boolean> {
  if (!isPostgresUrl(url)) return existsSync(url)
  return inSession(url, async (query) => {
    const [row] = await query('select count(*) from pg_tables where schemaname = current_schema()')
    return Number(row?.[0]) > 0
  })
}

/** Whether another process, such as a running server, is connected. */
export async function isDatabaseInUse(url: string): Promise<boolean> {
  if (!isPostgresUrl(url)) return existsSync(url) && isFileInUse(url)
  return inSession(url, async (query) => {
    const [row] = await query(`select count(*) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`)
    return Number(row?.[0]) > 0
  })
}

/** SQLite leaves its journal for another kind only when nobody else has the file open. */
function isFileInUse(path: string): boolean {
  const database = new Database(path)
  try {
    database.pragma('busy_timeout = 0')
    database.pragma('journal_mode = delete')
    return false
  } catch (error) {
    if ((error as { code?: string }).code?.startsWith('SQLITE_BUSY')) return true
    throw error
  } finally {
    database.close()
  }
}

/**
 * Makes room for an empty database. SQLite's file is renamed. PostgreSQL's tables are dropped, since one database cannot
 * hold two sets of them.
 */
export async function putDatabaseAside(url: string, suffix: string): Promise<void> {
  if (!isPostgresUrl(url)) {
    for (const end of ['', '-wal', '-shm']) {
      if (existsSync(`${url}${end}`)) renameSync(`${url}${end}`, `${url}.${suffix}${end}`)
    }
    return
  }
  await inSession(url, async (query) => {
    const [row] = await query('select quote_ident(current_schema())')
    await query(`drop schema ${row?.[0]} cascade`)
    await query(`create schema ${row?.[0]}`)
  })
}

async function inSession<T>(
  url: string,
  work: (query: (text: string) => Promise<unknown[][]>) => Promise<T>,
): Promise<T> {
  const { openPostgresSession } = await import('./postgres.ts')
  const session = await openPostgresSession(url)
  try {
    return await work(session.query)
  } finally {
    await session.end()
  }
}
