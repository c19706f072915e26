// Lists of what administrators and maintainers keep, of so many rows each, beside the SQL of a page and its count.
import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Bench } from '../bench.ts'
import { callWell } from '../client.ts'
import { type Fresh, freshServer } from '../fresh.ts'
import { timeOften } from '../measure.ts'
import type { Measured, Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'

const now = '2026-01-01T00:00:00.000Z'

type List = {
  name: string
  path: string
  table: string
  /** Columns, and their values of the row `i`. */
  columns: Record<string, string>
  where?: string
}

const text = (value: string) => `'${value}'`
const times = { created_at: text(now), updated_at: text(now) }

const vulnerabilities: List = {
  name: "a project's vulnerabilities",
  path: '/projects/1/vulnerabilities',
  table: 'vulnerabilities',
  where: 'project_id = 1',
  columns: {
    project_id: '1',
    uuid: "'uuid-' || i",
    report_type: text('sast'),
    state: text('detected'),
    resolved_on_default_branch: '0',
    title: "'Vulnerability ' || i",
    severity: "case when i % 100 = 0 then 'critical' else 'low' end",
    confidence: text('unknown'),
    scanner: text('bandit'),
    scanner_name: text('Bandit'),
    primary_identifier: text('0'),
    location_fingerprint: "'place-' || i",
    location: text('{"file":"a.py","start_line":1}'),
    identifiers: text('[]'),
    metadata: text('{}'),
    first_pipeline_id: '1',
    latest_pipeline_id: '1',
    ...times,
  },
}

const lists: readonly List[] = [
  {
    name: 'broadcast messages',
    path: '/broadcast_messages',
    table: 'broadcast_messages',
    columns: {
      message: "'Message ' || i",
      starts_at: text(now),
      ends_at: text(now),
      target_access_levels: text('[]'),
      broadcast_type: text('banner'),
      dismissable: '0',
      ...times,
    },
  },
  {
    name: "a project's clusters",
    path: '/projects/1/clusters',
    table: 'clusters',
    where: 'project_id = 1',
    columns: {
      project_id: '1',
      name: "'cluster ' || i",
      enabled: '1',
      managed: '1',
      namespace_per_environment: '1',
      environment_scope: "'scope-' || i",
      api_url: text('https://cluster.test'),
      token: text(''),
      authorization_type: text('rbac'),
      ...times,
    },
  },
  {
    name: 'domains of all sites',
    path: '/pages/domains',
    table: 'pages_domains',
    columns: {
      project_id: '1',
      domain: "'d' || i || '.example.org'",
      verification_code: text('0'),
      auto_ssl_enabled: '0',
      ...times,
    },
  },
  {
    name: 'storage moves of projects',
    path: '/project_repository_storage_moves',
    table: 'storage_moves',
    where: 'project_id is not null',
    columns: {
      project_id: '1',
      state: text('finished'),
      source_storage_name: text('default'),
      destination_storage_name: text('other'),
      ...times,
    },
  },
  {
    name: "a project's licences",
    path: '/projects/1/managed_licenses',
    table: 'managed_licenses',
    where: 'project_id = 1',
    columns: {
      project_id: '1',
      name: "'licence ' || i",
      approval_status: text('allowed'),
      ...times,
    },
  },
  vulnerabilities,
  // One in a hundred.
  {
    ...vulnerabilities,
    name: 'critical vulnerabilities',
    path: '/projects/2/vulnerabilities?severity=critical',
    where: "project_id = 2 and severity = 'critical'",
    columns: { ...vulnerabilities.columns, project_id: '2' },
  },
  {
    name: 'audit events',
    path: '/audit_events',
    table: 'audit_events',
    columns: {
      author_name: text('root'),
      action: text('project_changed'),
      entity_type: text('Project'),
      entity_id: '1',
      entity_path: text('root/p'),
      details: text('{}'),
      created_at: `strftime('%Y-%m-%dT%H:%M:%S.000Z', '2026-01-01', '+' || i || ' seconds')`,
    },
  },
]

type Filled = Fresh & { db: Database.Database }
const sites = new Map<number, Promise<Filled>>()

function filled(bench: Bench, rows: number): Promise<Filled> {
  const known = sites.get(rows) ?? fill(bench, rows)
  sites.set(rows, known)
  return known
}

async function fill(bench: Bench, rows: number): Promise<Filled> {
  const fresh = await freshServer(bench)
  await fresh.send('POST', '/projects', { name: 'p' })
  await fresh.send('POST', '/projects', { name: 'q' })
  const db = new Database(join(fresh.data, 'bloomery.sqlite'))
  for (const { table, columns } of lists) {
    db.exec(`with recursive n(i) as (select 1 union all select i + 1 from n where i < ${rows})
      insert into ${table} (${Object.keys(columns).join(', ')})
      select ${Object.values(columns).join(', ')} from n`)
  }
  bench.whenClosed(async () => db.close())
  return { ...fresh, db }
}

async function measure(bench: Bench, rows: number, list: List): Promise<Measured> {
  const { server, headers, db } = await filled(bench, rows)
  const from = `from ${list.table} where ${list.where ?? '1 = 1'}`
  const page = db.prepare(`select * ${from} order by id desc limit 20`)
  const count = db.prepare(`select count(*) from (select 1 ${from} limit 10001)`)
  const floor = async () => [page.all(), count.get()]
  const ask = () => callWell(`${server.url}/api/v4${list.path}`, { headers })
  const { floor_ms, ours_ms, p90_ms } = await timeOften(
    { floor, ours: ask },
    bench.sizes.samples * 3,
  )
  return {
    floor: { value: floor_ms, unit: 'ms', of: 'the SQL of a page and the count' },
    ours: { value: ours_ms, unit: 'ms' },
    note: `p90 ${p90_ms.toFixed(1)} ms`,
  }
}

/** A page costs the HTTP of it even where its SQL costs nothing. */
const http_ms = 1

export function administrationRows({ administered }: Sizes): Row[] {
  return administered.flatMap((rows) =>
    lists.map(
      (list): Row => ({
        name: `list of ${list.name}, of ${rows}`,
        goal: {
          text: `<= 4 x + ${http_ms} ms`,
          isMet: ({ floor, ours }) => ours.value <= 4 * (floor?.value ?? 0) + http_ms,
        },
        measure: (bench) => measure(bench, rows, list),
      }),
    ),
  )
}
