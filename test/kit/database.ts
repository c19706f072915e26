import { randomUUID } from 'node:crypto'
import pg from 'pg'

export type TestDatabase = { name: string; url: string; drop: () => Promise<void> }

/** A database on the PostgreSQL at `administrative`: a copy of the one named, or else an empty one. */
export async function createDatabase(
  administrative: string,
  original?: string,
): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: administrative })
    await client.connect()
    await client.query(statement)
    await client.end()
  }
  await run(`create database ${name}${original ? ` template ${original}` : ''}`)
  const url = new URL(administrative)
  url.pathname = `/${name}`
  return { name, url: url.toString(), drop: () => run(`drop database ${name} with (force)`) }
}
