import { randomUUID } from 'node:crypto'
import pg from 'pg'

export type TestDatabase = { name: string; url: string; drop: () => Promise<void> }

/** A database on the PostgreSQL at `administrative`: a copy of the one named, or else an empty one. */
export async function createDatabase(
  administrative: string,
  original?: string,
): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const server = findServer(administrative)
  const copying = original === undefined ? '' : ` template ${original}${await server.byFiles()}`
  await server.pool.query(`create database ${name}${copying}`)
  const drop = async () => void (await server.pool.query(`drop database ${name} with (force)`))
  const url = new URL(administrative)
  url.pathname = `/${name}`
  return { name, url: url.toString(), drop }
}

type Server = { pool: pg.Pool; byFiles: () => Promise<string> }
const servers = new Map<string, Server>()

/** One connection to each server, kept for all databases of this process; it keeps no process from its end. */
function findServer(administrative: string): Server {
  const known = servers.get(administrative)
  if (known) return known
  const pool = new pg.Pool({ connectionString: administrative, max: 1, allowExitOnIdle: true })
  // A server that ends, as some tests have it do, ends idle connections too.
  pool.on('error', () => {})
  let copying: Promise<string> | undefined
  const byFiles = () => {
    copying ??= askHowToCopy(pool)
    return copying
  }
  const server = { pool, byFiles }
  servers.set(administrative, server)
  return server
}

/** Has a database copied by its files, which takes half as long as by its log; PostgreSQL before 15 knows no other way. */
async function askHowToCopy(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query('show server_version_num')
  return Number(rows[0]?.server_version_num) >= 150_000 ? ' strategy file_copy' : ''
}
