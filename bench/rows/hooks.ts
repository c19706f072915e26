// How many calls of webhooks a process makes, each a task that is claimed, sent, logged and removed. The floor
// is a bare loop of `fetch` to the same receiver, as many at once.

import { mkdirSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { readConfig } from '../../src/config.ts'
import type { Db } from '../../src/db/db.ts'
import { toJson } from '../../src/db/dialect.ts'
import { openDatabase } from '../../src/db/open.ts'
import {
  callWebhookTaskName,
  type HookCallPayload,
} from '../../src/features/activity/webhooks/call-hooks.ts'
import { webhookTasks } from '../../src/features/activity/webhooks/webhook.tasks.ts'
import { systemClock, timestamp } from '../../src/kernel/clock.ts'
import { newRequestId } from '../../src/kernel/ids.ts'
import { enqueueAll, lanes } from '../../src/tasks/task.ts'
import { Worker } from '../../src/tasks/worker.ts'
import { startPostgres } from '../../test/kit/postgres.ts'
import type { Bench } from '../bench.ts'
import type { Measured, Row } from '../row.ts'
import type { Sizes } from '../sizes.ts'
import { type Kind, kinds } from '../town-server.ts'

const webhooks = 20
const waiting = 20_000
const body = { event_name: 'push', commits: 'x'.repeat(4096) }

async function makeHooks(db: Db, url: string): Promise<number[]> {
  const now = timestamp(systemClock)
  const row = { url, events: '[]', enable_ssl_verification: true, created_at: now, updated_at: now }
  const made = await db
    .insertInto('webhooks')
    .values(Array.from({ length: webhooks }, () => row))
    .returning('id')
    .execute()
  return made.map(({ id }) => id)
}

async function askFor(db: Db, ids: readonly number[]): Promise<void> {
  for (let at = 0; at < waiting; at += 1000) {
    const requests = Array.from({ length: 1000 }, (_, n) => {
      const payload: HookCallPayload = {
        webhook_id: ids[(at + n) % ids.length] ?? 0,
        event: 'system',
        about: { kind: 'body', body },
        event_uuid: newRequestId(),
        call_uuid: newRequestId(),
        attempt: 0,
      }
      return { key: String(at + n), payload }
    })
    await enqueueAll(db, systemClock, { task: callWebhookTaskName, requests })
  }
}

async function measureRate(bench: Bench, kind: Kind, rate_s: number): Promise<Measured> {
  const folder = bench.newFolder('hooks')
  mkdirSync(folder, { recursive: true })
  const postgres = kind === 'SQLite' ? undefined : await startPostgres()
  const db = await openDatabase({ url: postgres?.url ?? join(folder, 'bloomery.sqlite') })
  let calls = 0
  const receiver = createServer((request, response) => {
    request.resume().on('end', () => {
      calls++
      response.end('ok')
    })
  })
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  const text = toJson(body)
  const end_ms = systemClock().getTime() + rate_s * 1000
  const headers = { 'content-type': 'application/json', connection: 'close' }
  await Promise.all(
    Array.from({ length: lanes.hooks }, async () => {
      while (systemClock().getTime() < end_ms) {
        await (await fetch(url, { method: 'POST', body: text, headers })).text()
      }
    }),
  )
  const floor = calls / rate_s
  await askFor(db, await makeHooks(db, url))
  calls = 0
  const worker = new Worker({
    db,
    clock: systemClock,
    tasks: webhookTasks,
    uses: {
      db,
      git: undefined as never,
      clock: systemClock,
      config: readConfig({ BLOOMERY_DATA: folder }),
      secretKey: Buffer.alloc(32),
    },
    onError: (error) => {
      throw error
    },
  })
  await worker.start()
  await new Promise((resolve) => setTimeout(resolve, rate_s * 1000))
  const ours = calls / rate_s
  await worker.stop()
  receiver.close()
  await db.destroy()
  await postgres?.stop()
  return {
    floor: { value: floor, unit: '/s', of: 'bare fetch' },
    ours: { value: ours, unit: '/s' },
    note: `4 KB each, of ${webhooks} webhooks`,
  }
}

export function hookRows({ rate_s }: Sizes): Row[] {
  return kinds.map((kind) => ({
    name: `calls of webhooks, ${kind}`,
    measure: (bench) => measureRate(bench, kind, rate_s),
  }))
}
