// What a project depends on: pages of lists of so many, a lock file that is read first and then no more, and a
// large bill of materials beside JSON.parse of the same bytes.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { readSbom } from '../../src/features/security/reports/read-sbom.ts'
import type { Bench } from '../bench.ts'
import { callWell } from '../client.ts'
import { type Fresh, freshServer } from '../fresh.ts'
import { type Pair, timeOften, timePairs } from '../measure.ts'
import { atMost, type Measured, type Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'

const now = '2026-01-01T00:00:00.000Z'
const url = '/api/v4/projects/1/dependencies'
/** A page costs the HTTP of it, and finding the list, even where its SQL costs nothing. */
const http_ms = 1.5

type Project = Fresh & { db: Database.Database; commit: string }

/** A server with one project that has this file. */
async function startProject(bench: Bench, file_path: string, content: string): Promise<Project> {
  const fresh = await freshServer(bench, { BLOOMERY_TIER: 'ultimate' })
  await fresh.send('POST', '/projects', { name: 'p' })
  const { id } = await fresh.send('POST', '/projects/1/repository/commits', {
    branch: 'main',
    commit_message: 'Lock',
    actions: [{ action: 'create', file_path, content }],
  })
  const db = new Database(join(fresh.data, 'bloomery.sqlite'))
  bench.whenClosed(async () => db.close())
  return { ...fresh, db, commit: String(id) }
}

const sites = new Map<number, Promise<Project>>()

/** A project whose list has so many rows, every tenth of them of bundler. */
function listed(bench: Bench, rows: number): Promise<Project> {
  const known = sites.get(rows) ?? fill(bench, rows)
  sites.set(rows, known)
  return known
}

async function fill(bench: Bench, rows: number): Promise<Project> {
  const project = await startProject(bench, 'README', 'x')
  const source = `commit:${project.commit}`
  project.db.exec(`insert into dependency_lists (id, project_id, source, ready_at, created_at)
    values (1, 1, '${source}', '${now}', '${now}')`)
  project.db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
    insert into dependencies
      (list_id, name, version, package_manager, dependency_file_path, vulnerabilities)
    select 1, 'package-' || i, '1.' || i || '.0', iif(i % 10 = 0, 'bundler', 'npm'),
      'package-lock.json', '[]' from n`)
  return project
}

const pages = [
  { name: 'first page', query: '', where: '', offset: 0 },
  { name: 'page 50', query: '?page=50', where: '', offset: 980 },
  {
    name: 'of one package manager',
    query: '?package_manager=bundler',
    where: `and package_manager = 'bundler'`,
    offset: 0,
  },
]

async function measurePage(
  bench: Bench,
  rows: number,
  { query, where, offset }: (typeof pages)[number],
): Promise<Measured> {
  const { server, headers, db } = await listed(bench, rows)
  const from = `from dependencies where list_id = 1 ${where}`
  const page = db.prepare(`select * ${from} order by id limit 20 offset ${offset}`)
  const count = db.prepare(`select count(*) from (select 1 ${from} limit 10001)`)
  const floor = async () => [page.all(), count.get()]
  const ours = () => callWell(`${server.url}${url}${query}`, { headers })
  const times = await timeOften({ floor, ours }, bench.sizes.samples * 3)
  return {
    floor: { value: times.floor_ms, unit: 'ms', of: 'the SQL of a page and the count' },
    ours: { value: times.ours_ms, unit: 'ms' },
    note: `p90 ${times.p90_ms.toFixed(1)} ms`,
  }
}

const locked = 10_000

function lockText(): string {
  const packages = Object.fromEntries(
    Array.from({ length: locked }, (_, at) => [
      `node_modules/package-${at}`,
      {
        version: `1.${at}.0`,
        resolved: `https://registry.test/package-${at}/-/package-${at}-1.${at}.0.tgz`,
        integrity: `sha512-${'A'.repeat(86)}==`,
        license: 'MIT',
      },
    ]),
  )
  return JSON.stringify({ name: 'p', lockfileVersion: 3, packages }, null, 2)
}

/** Beside JSON.parse of the file and its rows in one transaction of SQLite. */
async function measureLock(bench: Bench): Promise<Measured> {
  const text = lockText()
  const { server, headers, db } = await startProject(bench, 'package-lock.json', text)
  db.exec('create table bare (id integer primary key, name text, version text)')
  const insert = db.prepare('insert into bare (name, version) values (?, ?)')
  const floor = async () => {
    const { packages } = JSON.parse(text) as { packages: Record<string, { version: string }> }
    db.transaction(() => {
      for (const [name, { version }] of Object.entries(packages)) insert.run(name, version)
    })()
  }
  const ask = () => callWell(`${server.url}${url}`, { headers })
  const ours = async () => {
    db.exec(`delete from dependencies; delete from dependency_lists; delete from bare`)
    return ask()
  }
  const first = await timePairs(Array(bench.sizes.samples).fill({ floor, ours }))
  const again = await timeOften({ floor: async () => {}, ours: ask }, bench.sizes.samples)
  return {
    floor: { value: first.floor_ms, unit: 'ms', of: 'JSON.parse and the rows in SQLite' },
    ours: { value: first.ours_ms, unit: 'ms' },
    note: `again ${again.ours_ms.toFixed(1)} ms`,
  }
}

const sbom_bytes = 50 * 1024 * 1024
const piece_bytes = 64 * 1024

function sbomBytes(): Buffer {
  const component = (at: number) => ({
    type: 'library',
    'bom-ref': `package-${at}`,
    name: `package-${at}`,
    version: `1.${at}.0`,
    description: 'What this is for, in a sentence that nobody reads',
    licenses: [{ license: { id: 'MIT' } }],
    purl: `pkg:npm/package-${at}@1.${at}.0`,
  })
  const each = JSON.stringify(component(100_000)).length + 1
  const components = Array.from({ length: Math.floor(sbom_bytes / each) }, (_, at) => component(at))
  return Buffer.from(JSON.stringify({ bomFormat: 'CycloneDX', specVersion: '1.4', components }))
}

async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += piece_bytes) yield bytes.subarray(at, at + piece_bytes)
}

async function measureSbom(bench: Bench): Promise<Measured> {
  const bytes = sbomBytes()
  const pair: Pair = {
    floor: async () => JSON.parse(bytes.toString()),
    ours: () => readSbom(piecesOf(bytes), () => {}),
  }
  const times = await timePairs(Array(bench.sizes.samples).fill(pair))
  return {
    floor: { value: times.floor_ms, unit: 'ms', of: 'JSON.parse of the whole' },
    ours: { value: times.ours_ms, unit: 'ms' },
    note: `${(bytes.length / 1e6).toFixed(0)} MB`,
  }
}

export function dependencyRows({ administered }: Sizes): Row[] {
  const lists = administered.flatMap((rows) =>
    pages.map(
      (page): Row => ({
        name: `dependencies of a project, ${page.name}, of ${rows}`,
        goal: {
          text: `<= 4 x + ${http_ms} ms`,
          isMet: ({ floor, ours }) => ours.value <= 4 * (floor?.value ?? 0) + http_ms,
        },
        measure: (bench) => measurePage(bench, rows, page),
      }),
    ),
  )
  return [
    ...lists,
    {
      name: `dependencies of a lock file of ${locked} entries`,
      goal: atMost(8),
      measure: measureLock,
    },
    {
      name: 'a bill of materials of 50 MB',
      goal: atMost(5),
      measure: measureSbom,
    },
  ]
}
