import { randomUUID } from 'node:crypto'
import pg from 'pg'

export type TestDatabase = { name: string; url: string; drop: () => Promise<void> }

/** A database on the PostgreSQL at `administrative`: a copy of the one named, or else an empty one. */
export async function createDatabase(
  administrative: string,
  original?: string,
): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const run = async (work: (client: pg.Client) => Promise<unknown>) => {
    const client = new pg.Client({ connectionString: administrative })
    await client.connect()
    await work(client)
    await client.end()
  }
  await run(async (client) => {
    const copying = original === undefined ? '' : ` template ${original}${await byFiles(client)}`
    await client.query(`create database ${name}${copying}`)
  })
  const drop = () => run((client) => client.query(`drop database ${name} with (force)`))
  const url = new URL(administrative)
  url.pathname = `/${name}`
  return { name, url: url.toString(), drop }
}

/** Has a database copied by its files, which takes half as long as by its log; PostgreSQL before 15 knows no other way. */
async function byFiles(client: pg.Client): Promise<string> {
  const { rows } = await client.query('show server_version_num')
  return Number(rows[0]?.server_version_num) >= 150_000 ? ' strategy file_copy' : ''
}
