// A server in a town of many people and projects, on either database, and the database itself beside
// it for the floor.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sql } from 'kysely'
import pg from 'pg'
import { isPostgres } from '../src/db/dialect.ts'
import { openDatabase } from '../src/db/open.ts'
import { startPostgres } from '../test/kit/postgres.ts'
import type { Bench } from './bench.ts'
import { callWell } from './client.ts'
import { rateOf } from './load.ts'
import { median, time_ms } from './measure.ts'
import { atLeast, atMost, type Measured, type Row } from './row.ts'
import { type Server, startServer } from './server.ts'
import { buildTown, type TownSize, type Townsfolk } from './town.ts'

export const kinds = ['SQLite', 'PostgreSQL'] as const
export type Kind = (typeof kinds)[number]
export type Who = keyof Townsfolk | 'nobody'

export const names: Record<Who, string> = {
  nobody: 'anonymous',
  few: 'member of 3',
  many: 'member of a tenth',
  mayor: 'administrator',
}

type Town = {
  server: Server
  tokens: Townsfolk
  /** Runs a statement of that text once, prepared before. */
  query: (text: string) => Promise<unknown>
  close: () => Promise<void>
}

const towns = new Map<string, Promise<Town>>()

function townOf(bench: Bench, kind: Kind, size: TownSize): Promise<Town> {
  const key = `${kind} ${size.projects} ${size.users}`
  let town = towns.get(key)
  if (!town) {
    process.stderr.write(
      `creating a town: ${size.projects} projects, ${size.users} users, ${kind}\n`,
    )
    town = kind === 'SQLite' ? onSqlite(bench, size) : onPostgres(bench, size)
    towns.set(key, town)
    bench.whenClosed(async () => (await town)?.close())
  }
  return town
}

async function onSqlite(bench: Bench, size: TownSize): Promise<Town> {
  const data = bench.newFolder('town')
  mkdirSync(data, { recursive: true })
  const path = join(data, 'bloomery.sqlite')
  const tokens = await fill(path, size)
  const server = await startServer({ data })
  const reader = new Database(path, { readonly: true })
  const statements = new Map<string, Database.Statement>()
  return {
    server,
    tokens,
    async query(text) {
      const statement = statements.get(text) ?? reader.prepare(text)
      statements.set(text, statement)
      return statement.all()
    },
    async close() {
      reader.close()
      await server.stop()
    },
  }
}

async function onPostgres(bench: Bench, size: TownSize): Promise<Town> {
  const data = bench.newFolder('town')
  mkdirSync(data, { recursive: true })
  const postgres = await startPostgres()
  const tokens = await fill(postgres.url, size)
  const server = await startServer({ data, env: { BLOOMERY_DATABASE_URL: postgres.url } })
  const client = new pg.Client({ connectionString: postgres.url })
  await client.connect()
  const statements = new Map<string, string>()
  return {
    server,
    tokens,
    query(text) {
      const name = statements.get(text) ?? `page_${statements.size}`
      statements.set(text, name)
      return client.query({ name, text })
    },
    async close() {
      await client.end()
      await server.stop()
      await postgres.stop()
    },
  }
}

async function fill(url: string, size: TownSize): Promise<Townsfolk> {
  const db = await openDatabase({ url })
  try {
    const tokens = await buildTown(db, size)
    // What either database does by itself when it has been filled for a while.
    await (isPostgres(db) ? sql`vacuum analyze` : sql`analyze`).execute(db)
    return tokens
  } finally {
    await db.destroy()
  }
}

/** A page of a list as one sees it, beside the bare SQL of that page. */
export function pageRow(page: {
  name: string
  kind: Kind
  size: TownSize
  who: Who
  path: string
  /** The statement that finds the same page. */
  text: string
  /** What nine of ten answers take at the most. */
  p90_ms?: number
  /** How many times the statement's own time it may take; of a small table that is nearly none. */
  most?: number
}): Row {
  const { kind, size, who, path, text, most, p90_ms = 50 } = page
  return {
    name: `${page.name}, ${names[who]}, ${kind}`,
    goal: {
      text: most === undefined ? `p90 < ${p90_ms} ms` : `<= ${most} x, p90 < ${p90_ms} ms`,
      isMet: (measured) =>
        p90Of(measured) < p90_ms && (most === undefined || atMost(most).isMet(measured)),
    },
    async measure(bench) {
      const { server, tokens, query } = await townOf(bench, kind, size)
      const headers: Record<string, string> =
        who === 'nobody' ? {} : { 'private-token': tokens[who] }
      const ask = () => callWell(`${server.url}/api/v4${path}`, { headers })
      for (let warming = 0; warming < 200; warming++) await Promise.all([ask(), query(text)])
      const floors: number[] = []
      const ours: number[] = []
      for (let sample = 0; sample < bench.sizes.samples * 3; sample++) {
        floors.push(await time_ms(() => query(text)))
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

/** The rate of a page at 16 connections, beside a bare server that answers as many bytes. */
export function rateRow(page: {
  name: string
  kind: Kind
  size: TownSize
  who: Who
  /** Given the id of a project they see. */
  path: (id: number) => string
  goal: number
}): Row {
  const { kind, size, who, path, goal } = page
  return {
    name: `${page.name}, ${names[who]}, ${kind}`,
    goal: atLeast(goal),
    async measure(bench) {
      const { server, tokens } = await townOf(bench, kind, size)
      const headers: Record<string, string> =
        who === 'nobody' ? {} : { 'private-token': tokens[who] }
      const seen = await fetch(`${server.url}/api/v4/projects?per_page=1`, { headers })
      const [first] = (await seen.json()) as { id: number }[]
      const url = `${server.url}/api/v4${path(first?.id ?? 0)}`
      const { length } = Buffer.from(await (await fetch(url, { headers })).arrayBuffer())
      const bare = await bench.floorServer()
      const duration_s = bench.sizes.rate_s
      const floor = await rateOf(`${bare.url}/bytes/${length}`, { duration_s })
      const ours = await rateOf(url, { duration_s, headers })
      return {
        floor: { value: floor, unit: '/s', of: 'bare Fastify, as many bytes' },
        ours: { value: ours, unit: '/s' },
        note: `${length} bytes`,
      }
    },
  }
}

function p90Of({ note = '' }: Measured): number {
  return Number(/p90 ([\d.]+)/.exec(note)?.[1] ?? Infinity)
}
