// A project of many issues and merge requests, on either database: rows as the API would have made them, made by
// the thousand, since making them one by one would take longer than all that is measured.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import pg from 'pg'
import type { Db } from '../src/db/db.ts'
import { isPostgres } from '../src/db/dialect.ts'
import { openDatabase } from '../src/db/open.ts'
import { startPostgres } from '../test/kit/postgres.ts'
import type { Bench } from './bench.ts'
import { callWell } from './client.ts'
import { type Server, startServer } from './server.ts'
import type { Kind } from './town-server.ts'

export type Planned = {
  server: Server
  project_id: number
  headers: Record<string, string>
  /** Runs a statement of that text once, prepared before. */
  query: (text: string) => Promise<unknown>
}

const labels = 1000
const rows_a_statement = 500
const day_ms = 24 * 60 * 60 * 1000

const kept = new Map<string, Promise<Planned>>()

/** The server with so many issues, and a fifth as many merge requests, in one project; made once a run. */
export function plannedServer(bench: Bench, kind: Kind, issues: number): Promise<Planned> {
  const key = `${kind} ${issues}`
  const known = kept.get(key) ?? start(bench, kind, issues)
  kept.set(key, known)
  return known
}

async function start(bench: Bench, kind: Kind, issues: number): Promise<Planned> {
  process.stderr.write(`creating a project with ${issues} issues, ${kind}\n`)
  const data = bench.newFolder('planned')
  mkdirSync(data, { recursive: true })
  const postgres = kind === 'SQLite' ? undefined : await startPostgres()
  const token = 'bench-root-token-of-its-own'
  const env = {
    BLOOMERY_ROOT_TOKEN: token,
    ...(postgres && { BLOOMERY_DATABASE_URL: postgres.url }),
  }
  const server = await startServer({ data, env })
  const headers = { 'private-token': token, 'content-type': 'application/json' }
  const made = await callWell(`${server.url}/api/v4/projects`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ name: 'planned' }),
  })
  const project_id = JSON.parse(made.body.toString()).id as number
  const path = join(data, 'bloomery.sqlite')
  const db = await openDatabase({ url: postgres?.url ?? path })
  await fill(db, project_id, issues)
  await db.destroy()
  const reader = postgres ? await readPostgres(postgres.url) : readSqlite(path)
  bench.whenClosed(async () => {
    await reader.close()
    await server.stop()
    await postgres?.stop()
  })
  return { server, project_id, headers, query: reader.query }
}

function readSqlite(path: string) {
  const reader = new Database(path, { readonly: true })
  const statements = new Map<string, Database.Statement>()
  return {
    query: async (text: string) => {
      const statement = statements.get(text) ?? reader.prepare(text)
      statements.set(text, statement)
      return statement.all() as unknown
    },
    close: async () => void reader.close(),
  }
}

async function readPostgres(url: string) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  const statements = new Map<string, string>()
  return {
    query: (text: string) => {
      const name = statements.get(text) ?? `page_${statements.size}`
      statements.set(text, name)
      return client.query({ name, text }) as Promise<unknown>
    },
    close: () => client.end(),
  }
}

async function fill(db: Db, project_id: number, issues: number): Promise<void> {
  const began_ms = Date.parse('2020-01-01T00:00:00Z')
  const moment = (n: number) => new Date(began_ms + n * 60_000).toISOString()
  const { id: author_id } = await db
    .selectFrom('users')
    .select('id')
    .orderBy('id')
    .limit(1)
    .executeTakeFirstOrThrow()
  const now = moment(0)
  const label_ids = await inParts(labels, (numbers) =>
    db
      .insertInto('labels')
      .values(
        numbers.map((n) => ({
          project_id,
          title: `label-${n}`,
          color: '#6699cc',
          created_at: now,
          updated_at: now,
        })),
      )
      .returning('id')
      .execute(),
  )
  const { id: milestone_id } = await db
    .insertInto('milestones')
    .values({ iid: 1, project_id, title: 'm', state: 'active', created_at: now, updated_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  for (const kind of ['issue', 'merge_request'] as const) {
    const count = kind === 'issue' ? issues : Math.ceil(issues / 5)
    const ids = await inParts(count, (numbers) =>
      db
        .insertInto('issuables')
        .values(
          numbers.map((n) => ({
            iid: n + 1,
            kind,
            project_id,
            author_id,
            title: `Furnace ${n} does not ${n % 7 === 0 ? 'heat' : 'cool'}`,
            description: `Seen at door ${n * 7919}, with slag of sort ${n % 97}.`,
            state: n % 3 === 0 ? ('closed' as const) : ('opened' as const),
            milestone_id: n % 50 === 0 ? milestone_id : null,
            due_date: n % 10 === 0 ? moment(n + (day_ms * 30) / 60_000).slice(0, 10) : null,
            created_at: moment(n),
            updated_at: moment(count - n),
          })),
        )
        .returning('id')
        .execute(),
    )
    await inParts(count, async (numbers) => {
      await db
        .insertInto('issuable_labels')
        .values(
          numbers.flatMap((n) => [
            // The first label is on half of all, the others on few.
            { issuable_id: ids[n] ?? 0, label_id: label_ids[1 + (n % (labels - 1))] ?? 0 },
            ...(n % 2 === 0 ? [{ issuable_id: ids[n] ?? 0, label_id: label_ids[0] ?? 0 }] : []),
          ]),
        )
        .execute()
      await db
        .insertInto('issuable_assignees')
        .values(numbers.map((n) => ({ issuable_id: ids[n] ?? 0, user_id: author_id })))
        .execute()
      if (kind === 'merge_request') {
        await db
          .insertInto('merge_requests')
          .values(
            numbers.map((n) => ({
              issuable_id: ids[n] ?? 0,
              project_id,
              source_project_id: project_id,
              source_branch: `topic-${n}`,
              target_branch: 'main',
              is_open: n % 3 !== 0,
            })),
          )
          .execute()
      }
      return []
    })
    const usage = kind === 'issue' ? ('issues' as const) : ('merge_requests' as const)
    await db.insertInto('internal_ids').values({ project_id, usage, last_value: count }).execute()
  }
  await (isPostgres(db) ? sql`vacuum analyze` : sql`analyze`).execute(db)
}

async function inParts(
  count: number,
  insert: (numbers: number[]) => Promise<{ id: number }[]>,
): Promise<number[]> {
  const ids: number[] = []
  for (let at = 0; at < count; at += rows_a_statement) {
    const size = Math.min(rows_a_statement, count - at)
    const rows = await insert(Array.from({ length: size }, (_, n) => at + n))
    for (const { id } of rows) ids.push(id)
  }
  return ids
}
