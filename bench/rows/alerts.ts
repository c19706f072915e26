// How many alerts a second a project takes that has many open ones: new ones, and further events of those there
// are. The floor keeps the same body: bare Fastify with one insert, which SQLite syncs. (PostgreSQL here does not.)
import { randomUUID } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { startPostgres } from '../../test/kit/postgres.ts'
import type { Bench } from '../bench.ts'
import { callWell } from '../client.ts'
import { type Fresh, freshServer } from '../fresh.ts'
import { atLeast, type Measured, type Row } from '../row.ts'
import { startFloorServer } from '../server.ts'
import type { Sizes } from '../sizes.ts'
import { type Kind, kinds } from '../town-server.ts'

const open = 10_000
const a_body = 100
const senders = 16
/** A hundred thousand an hour would be refused otherwise. */
const env = {
  BLOOMERY_RATE_LIMITS: '{"incident_management_notification":{"requests":1000000000,"period_s":1}}',
}

/** What a tool sends of one host, some 700 bytes. */
const alertOf = (fingerprint: string) => ({
  title: 'The disk is nearly full',
  description: 'There is less than a tenth of the disk left. '.repeat(10),
  service: 'database',
  monitoring_tool: 'a tool',
  hosts: ['db-1.example.com'],
  severity: 'high',
  fingerprint,
  mount: { path: '/var/lib', free_bytes: 1_000_000, total_bytes: 100_000_000 },
})

/** What `send` is done a second, by several at once. */
async function rateOfSending(rate_s: number, send: () => Promise<unknown>): Promise<number> {
  const warm_ms = performance.now() + 1000
  const run = (end_ms: number) => async () => {
    let done = 0
    for (; performance.now() < end_ms; done++) await send()
    return done
  }
  await Promise.all(Array.from({ length: senders }, run(warm_ms)))
  const began_ms = performance.now()
  const all = await Promise.all(Array.from({ length: senders }, run(began_ms + rate_s * 1000)))
  return all.reduce((sum, done) => sum + done, 0) / ((performance.now() - began_ms) / 1000)
}

type Place = { url: string; headers: Record<string, string> }

/** A project with an integration and its open alerts. */
async function newPlace({ send }: Fresh): Promise<Place> {
  const { id } = await send('POST', '/projects', { name: `alerts-${randomUUID()}` })
  const made = await send('POST', `/projects/${id}/alert_management/integrations`, {})
  const url = String(made.url)
  const headers = { authorization: `Bearer ${made.token}`, 'content-type': 'application/json' }
  for (let at = 0; at < open; at += a_body) {
    const alerts = Array.from({ length: a_body }, (_, n) => ({
      labels: { alertname: 'Filling' },
      fingerprint: `open-${at + n}`,
    }))
    const body = JSON.stringify({
      version: '4',
      groupKey: '',
      status: 'firing',
      receiver: '',
      groupLabels: {},
      commonLabels: {},
      commonAnnotations: {},
      externalURL: '',
      alerts,
    })
    await callWell(url, { method: 'POST', headers, body })
  }
  return { url, headers }
}

async function floorOf(
  bench: Bench,
  { postgresUrl, rate_s }: { postgresUrl: string | undefined; rate_s: number },
): Promise<number> {
  const folder = bench.newFolder('floor')
  mkdirSync(folder, { recursive: true })
  const floor = await startFloorServer(folder, postgresUrl)
  const headers = { 'content-type': 'application/json' }
  const body = () => JSON.stringify(alertOf(randomUUID()))
  const send = () => callWell(`${floor.url}/sent`, { method: 'POST', headers, body: body() })
  const rate = await rateOfSending(rate_s, send)
  await floor.stop()
  return rate
}

async function measure(
  bench: Bench,
  { kind, isNew, rate_s }: { kind: Kind; isNew: boolean; rate_s: number },
): Promise<Measured> {
  const beside = kind === 'SQLite' ? undefined : await startPostgres()
  const floor = await floorOf(bench, { postgresUrl: beside?.url, rate_s })
  await beside?.stop()
  const postgres = kind === 'SQLite' ? undefined : await startPostgres()
  const database = postgres ? { BLOOMERY_DATABASE_URL: postgres.url } : undefined
  const fresh = await freshServer(bench, { ...env, ...database })
  const { url, headers } = await newPlace(fresh)
  let sent = 0
  const fingerprint = () => (isNew ? randomUUID() : `open-${sent++ % open}`)
  const send = () =>
    callWell(url, { method: 'POST', headers, body: JSON.stringify(alertOf(fingerprint())) })
  const ours = await rateOfSending(rate_s, send)
  await fresh.server.stop()
  await postgres?.stop()
  return {
    floor: { value: floor, unit: '/s', of: 'bare Fastify and an insert' },
    ours: { value: ours, unit: '/s' },
    note: `${open} open, ${senders} senders`,
  }
}

export function alertRows({ rate_s }: Sizes): Row[] {
  return kinds.flatMap((kind) =>
    [true, false].map((isNew) => ({
      name: `alerts, ${isNew ? 'new' : 'known'}, ${kind}`,
      goal: atLeast(kind === 'SQLite' ? 0.7 : 0.15),
      measure: (bench: Bench) => measure(bench, { kind, isNew, rate_s }),
    })),
  )
}
