// Reports of scanners: from the end of their pipeline until its findings are stored, beside reading the same bytes
// whole and inserting as many rows.
import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { sastFinding, sastReport } from '../../test/kit/scans.ts'
import type { Bench } from '../bench.ts'
import { type CiServer, databaseOf, startCiServer, uploadArtifact } from '../ci-server.ts'
import { callWell } from '../client.ts'
import { time_ms } from '../measure.ts'
import type { Measured, Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'

/** What one finding takes, as scanners write them. */
const finding_bytes = 850

type Report = { path: string; bytes: number; findings: number }

async function makeReport(folder: string, findings: number): Promise<Report> {
  const description = 'Evaluates what callers say. '.repeat(12)
  const all = Array.from({ length: findings }, (_, at) =>
    sastFinding({ file: `src/part-${at % 997}.py`, start_line: at + 1, description }),
  )
  const path = join(folder, 'report.json')
  const text = JSON.stringify(sastReport(...all))
  await writeFile(path, text)
  return { path, bytes: Buffer.byteLength(text), findings }
}

/** As many rows of the same values, synced two hundred at a time. */
async function storeBare(folder: string, { path }: Report): Promise<void> {
  const { vulnerabilities } = JSON.parse(await readFile(path, 'utf8'))
  const db = new Database(join(folder, `bare-${Math.random()}.sqlite`))
  db.pragma('journal_mode = wal')
  db.pragma('synchronous = full')
  db.exec(`create table v (id integer primary key autoincrement, uuid text, project_id integer,
    title text, description text, severity text, location text, identifiers text)`)
  db.exec('create unique index v_uuid on v (project_id, uuid)')
  db.exec('create index v_project on v (project_id, id)')
  const insert = db.prepare(
    'insert into v (uuid, project_id, title, description, severity, location, identifiers) values (?, 1, ?, ?, ?, ?, ?)',
  )
  const insertAll = db.transaction((some: ReturnType<typeof sastFinding>[]) => {
    for (const { name, description, severity, location, identifiers } of some) {
      const place = JSON.stringify(location)
      const uuid = createHash('sha1').update(place).digest('hex')
      insert.run(uuid, name, description, severity, place, JSON.stringify(identifiers))
    }
  })
  for (let at = 0; at < vulnerabilities.length; at += 200) {
    insertAll(vulnerabilities.slice(at, at + 200))
  }
  db.close()
}

/** A pipeline whose job has made the report and runs. */
async function startScan(ci: CiServer, report: Report) {
  await ci.post(`/projects/${ci.project_id}/pipeline`, { ref: 'main' })
  const job = await ci.takeJob()
  await uploadArtifact(ci, job, { ...report, type: 'sast', format: 'raw' })
  return job
}

/** Ends the job and waits until its findings are stored; answers what another caller waited for at the most. */
async function store(
  ci: CiServer,
  { id, token }: { id: number; token: string },
): Promise<{ longest_ms: number }> {
  const db = new Database(databaseOf(ci), { readonly: true })
  const stored = db.prepare(`select 1 from security_scans where job_id = ? and state = 'stored'`)
  await callWell(`${ci.server.url}/api/v4/jobs/${id}`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ token, state: 'success' }),
  })
  let longest_ms = 0
  while (!stored.get(id)) {
    const { headers, server } = ci
    longest_ms = Math.max(
      longest_ms,
      await time_ms(() => callWell(`${server.url}/api/v4/user`, { headers })),
    )
  }
  db.close()
  return { longest_ms }
}

async function measure(bench: Bench, megabytes: number): Promise<Measured> {
  const ci = await startCiServer(bench, { config: { scan: { script: 'true' } } })
  const folder = bench.newFolder('reports')
  await mkdir(folder)
  const findings = Math.round((megabytes * 1024 * 1024) / finding_bytes)
  const report = await makeReport(folder, findings)
  const floor_ms = await time_ms(() => storeBare(folder, report))
  const first = await startScan(ci, report)
  let longest = { longest_ms: 0 }
  const first_ms = await time_ms(async () => {
    longest = await store(ci, first)
  })
  const again = await startScan(ci, report)
  const again_ms = await time_ms(() => store(ci, again))
  await ci.server.stop()
  const size = `${(report.bytes / 1024 / 1024).toFixed(1)} MB, ${findings} findings`
  const others = `GET /user beside it at most ${longest.longest_ms.toFixed(0)} ms`
  return {
    floor: { value: floor_ms, unit: 'ms', of: 'JSON.parse and SQLite' },
    ours: { value: first_ms, unit: 'ms' },
    note: `${size}; the same again ${again_ms.toFixed(0)} ms; ${others}`,
  }
}

export function vulnerabilityRows({ reports_mb }: Sizes): Row[] {
  return reports_mb.map((megabytes) => ({
    name: `report of ${megabytes} MB until its vulnerabilities are stored`,
    measure: (bench) => measure(bench, megabytes),
  }))
}
