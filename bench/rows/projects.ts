// The list of projects in a town of many, for those who see none of it, a little, a tenth and all, on
// both databases, beside the page's own SQL without a server.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import pg from 'pg'
import { openDatabase } from '../../src/db/open.ts'
import { startPostgres } from '../../test/kit/postgres.ts'
import type { Bench } from '../bench.ts'
import { callWell } from '../client.ts'
import { median, time_ms } from '../measure.ts'
import { atMost, type Measured, type Row } from '../row.ts'
import { type Server, startServer } from '../server.ts'
import type { Sizes } from '../sizes.ts'
import { buildTown, type Townsfolk } from '../town.ts'

const kinds = ['SQLite', 'PostgreSQL'] as const
type Kind = (typeof kinds)[number]
type Who = keyof Townsfolk | 'nobody'

const names: Record<Who, string> = {
  nobody: 'anonymous',
  few: 'member of 3',
  many: 'member of a tenth',
  mayor: 'administrator',
}

type Town = {
  server: Server
  tokens: Townsfolk
  /** Runs the page's SQL once. */
  page: (who: Who) => Promise<unknown>
  close: () => Promise<void>
}

const towns = new Map<string, Promise<Town>>()

function townOf(bench: Bench, kind: Kind, count: number): Promise<Town> {
  const key = `${kind} ${count}`
  let town = towns.get(key)
  if (!town) {
    process.stderr.write(`making a town of ${count} projects on ${kind}\n`)
    town = kind === 'SQLite' ? onSqlite(bench, count) : onPostgres(bench, count)
    towns.set(key, town)
    bench.whenClosed(async () => (await town)?.close())
  }
  return town
}

/** Twenty whole rows with their namespaces, of those the caller sees. */
function pageText(who: Who): string {
  const ids: Record<Who, number> = { nobody: 0, few: 100_000, many: 100_001, mayor: 0 }
  const open = who === 'nobody' ? "('public')" : "('public', 'internal')"
  const seen = `(p.visibility in ${open}
    or exists (select 1 from namespace_access a
      where a.user_id = ${ids[who]} and a.namespace_id = p.namespace_id)
    or exists (select 1 from project_access a
      where a.user_id = ${ids[who]} and a.project_id = p.id))`
  return `select p.*, n.name as n_name, n.full_path from projects p
    join namespaces n on n.id = p.namespace_id
    where p.state = 'ready' ${who === 'mayor' ? '' : `and ${seen}`}
    order by p.id desc limit 20`
}

async function onSqlite(bench: Bench, count: number): Promise<Town> {
  const data = bench.newFolder('town')
  mkdirSync(data, { recursive: true })
  const path = join(data, 'bloomery.sqlite')
  const db = await openDatabase({ url: path })
  const tokens = await buildTown(db, count)
  await sql`analyze`.execute(db)
  await db.destroy()
  const server = await startServer({ data })
  const reader = new Database(path, { readonly: true })
  return {
    server,
    tokens,
    page: async (who) => reader.prepare(pageText(who)).all(),
    async close() {
      reader.close()
      await server.stop()
    },
  }
}

async function onPostgres(bench: Bench, count: number): Promise<Town> {
  const data = bench.newFolder('town')
  mkdirSync(data, { recursive: true })
  const postgres = await startPostgres()
  const db = await openDatabase({ url: postgres.url })
  const tokens = await buildTown(db, count)
  await sql`analyze`.execute(db)
  await db.destroy()
  const server = await startServer({ data, env: { BLOOMERY_DATABASE_URL: postgres.url } })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  return {
    server,
    tokens,
    page: (who) => client.query({ name: who, text: pageText(who) }),
    async close() {
      await client.end()
      await server.stop()
      await postgres.stop()
    },
  }
}

function row(kind: Kind, count: number, who: Who, what: string, query: string): Row {
  return {
    name: `GET /projects ${what}, ${count}, ${names[who]}, ${kind}`,
    goal: {
      text: '<= 4 x, p90 < 50 ms',
      isMet: (measured) => atMost(4).isMet(measured) && p90Of(measured) < 50,
    },
    async measure(bench) {
      const { server, tokens, page } = await townOf(bench, kind, count)
      const headers: Record<string, string> =
        who === 'nobody' ? {} : { 'private-token': tokens[who] }
      const ask = () => callWell(`${server.url}/api/v4/projects?${query}`, { headers })
      for (let warming = 0; warming < 10; warming++) await Promise.all([ask(), page(who)])
      const floors: number[] = []
      const ours: number[] = []
      for (let sample = 0; sample < bench.sizes.samples * 3; sample++) {
        floors.push(await time_ms(() => page(who)))
        ours.push(await time_ms(ask))
      }
      ours.sort((a, b) => a - b)
      const p90 = ours[Math.floor(ours.length * 0.9)] ?? 0
      return {
        floor: { value: median(floors), unit: 'ms', of: 'the SQL of a page' },
        ours: { value: median(ours), unit: 'ms' },
        note: `p90 ${p90.toFixed(1)} ms`,
      }
    },
  }
}

function p90Of({ note = '' }: Measured): number {
  return Number(/p90 ([\d.]+)/.exec(note)?.[1] ?? Infinity)
}

const pages: [string, string][] = [
  ['page 1', 'per_page=20'],
  ['keyset', 'pagination=keyset&order_by=id&per_page=20'],
]
const searches: [string, string][] = [
  ['search', 'search=works+number+7&per_page=20'],
  ['similarity', 'search=project-77&order_by=similarity&per_page=20'],
]

export function projectRows({ projects }: Sizes): Row[] {
  const most = projects.at(-1)
  return kinds.flatMap((kind) =>
    projects.flatMap((count) =>
      (['nobody', 'few', 'many', 'mayor'] as const).flatMap((who) =>
        [...pages, ...(count === most ? searches : [])].map(([what, query]) =>
          row(kind, count, who, what, query),
        ),
      ),
    ),
  )
}
