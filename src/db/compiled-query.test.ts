import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setImmediate, setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { rootToken, startApp, type TestApp } from '../../test/kit/app.ts'
import { defineRowLoader } from './compiled-query.ts'
import type { Db } from './db.ts'
import { keepsPlanHint } from './dialect.ts'
import { openDatabase } from './open.ts'

let app: TestApp
beforeAll(async () => {
  app = await startApp()
})
afterAll(() => app.close())

const self = async () => {
  const answer = await app.client(rootToken).get('/user')
  return [answer.statusCode, answer.json().name]
}

it('sees at once what was written, here or by another connection', async () => {
  const { databaseUrl, data } = app.config
  const other = await openDatabase({ url: databaseUrl ?? join(data, 'bloomery.sqlite') })
  try {
    for (const [writer, name] of [
      [app.db, 'One'],
      [other, 'Two'],
      [app.db, 'Three'],
      [other, 'Four'],
    ] as const) {
      // Twice, so that the second finds what the first has kept.
      await self()
      await self()
      await writer.updateTable('users').set({ name }).where('username', '=', 'root').execute()
      // As word of another process' commit would come: by the event loop.
      if (writer === other) await setImmediate()
      expect(await self()).toEqual([200, name])
    }
  } finally {
    await other.destroy()
  }
})

it('sees what a transaction wrote only once it is committed, outside of it', async () => {
  const before = await self()
  await app.db.transaction().execute(async (tx) => {
    await tx.updateTable('users').set({ name: 'Five' }).where('username', '=', 'root').execute()
    expect(await self()).toEqual(before)
  })
  expect(await self()).toEqual([200, 'Five'])
})

it('goes on reading after a newer node has added a column', async () => {
  // PostgreSQL keeps its plan of a statement from the sixth time on.
  for (let time = 0; time < 8; time++) await self()
  await sql`alter table users add column later text default 'new'`.execute(app.db)
  for (let time = 0; time < 3; time++) expect((await self())[0]).toBe(200)
})

const nameOf = defineRowLoader((db, given: { username: string }) =>
  db.selectFrom('users').select('name').where('username', '=', given.username),
)
const readName = (db = app.db) => nameOf(db, { username: 'root' })
const writeName = (name: string) =>
  app.db.updateTable('users').set({ name }).where('username', '=', 'root').execute()

it('hands out the same rows until something is written', async () => {
  await writeName('Six')
  // Other tests write to the same server of PostgreSQL.
  await vi.waitFor(async () => {
    const row = await readName()
    await setImmediate()
    expect(await readName()).toBe(row)
  })
  const row = await readName()
  await writeName('Six')
  await setImmediate()
  expect(await readName()).not.toBe(row)
})

it('reads anew where rows are not to be handed out again', async () => {
  const readAnew = defineRowLoader(
    (db) => db.selectFrom('users').select('name').where('id', '=', 1),
    {
      isKept: false,
    },
  )
  const row = await readAnew(app.db, {})
  const again = await readAnew(app.db, {})
  expect(again).toEqual(row)
  expect(again).not.toBe(row)
})

it('never answers with what was there before a write that had ended', async () => {
  const writes = 200
  let written = 0
  await writeName('0')
  const reader = async () => {
    while (written < writes) {
      const least = written
      const row = await readName()
      expect(Number(row?.name)).toBeGreaterThanOrEqual(least)
      await setImmediate()
    }
  }
  const writer = async () => {
    for (let next = 1; next <= writes; next++) {
      await writeName(String(next))
      written = next
      await setImmediate()
    }
  }
  await Promise.all([writer(), ...Array.from({ length: 8 }, reader)])
})

/** A database whose answers are held back while it is paused. SQLite's file answers at once. */
async function openPausable(databaseUrl: string) {
  const { hostname, port } = new URL(databaseUrl)
  const answers = new Set<Socket>()
  const between = createServer((client) => {
    const server = connect(Number(port), hostname)
    answers.add(server)
    client.pipe(server)
    server.on('data', (data) => client.write(data))
    for (const end of [client, server]) end.on('error', () => {})
    client.on('close', () => server.destroy())
  })
  between.listen(0, '127.0.0.1')
  await once(between, 'listening')
  const url = new URL(databaseUrl)
  url.host = `127.0.0.1:${(between.address() as AddressInfo).port}`
  const db = await openDatabase({ url: url.href })
  return {
    db,
    pause: () => answers.forEach((socket) => void socket.pause()),
    resume: () => answers.forEach((socket) => void socket.resume()),
    async close() {
      await db.destroy()
      between.close()
    },
  }
}

it('compiles a query once for a database and its transactions', async () => {
  let compiled = 0
  const counted = defineRowLoader((db, { id }: { id: number }) => {
    compiled++
    return db.selectFrom('users').select('id').where('id', '=', id)
  })
  await counted(app.db, { id: 1 })
  for (let time = 0; time < 2; time++) {
    await app.db.transaction().execute(async (tx) => {
      const user = await tx.selectFrom('users').select('id').executeTakeFirstOrThrow()
      expect(await counted(tx, user)).toEqual(user)
      expect(await counted(tx, { id: 0 })).toBeUndefined()
    })
  }
  expect(compiled).toBe(1)
})

it('runs statements that come often after a newer node has added a column, in a transaction too', async () => {
  const find = (db: Db) =>
    db.selectFrom('users').selectAll().where('username', '=', 'root').executeTakeFirst()
  const findId = (db: Db) =>
    db.selectFrom('users').select('id').where('username', '=', 'root').executeTakeFirst()
  for (let time = 0; time < 10; time++) await find(app.db)
  await app.db.transaction().execute(async (tx) => {
    for (let time = 0; time < 10; time++) await Promise.all([find(tx), findId(tx)])
  })
  await sql`alter table users add column much_later text default 'new'`.execute(app.db)
  expect(await find(app.db)).toMatchObject({ username: 'root', much_later: 'new' })
  await app.db.transaction().execute(async (tx) => {
    expect(await find(tx)).toMatchObject({ username: 'root', much_later: 'new' })
    expect(await findId(tx)).toBeDefined()
  })
})

if (process.env.TEST_DB === 'postgres') {
  it('has PostgreSQL prepare statements that come often, unless their best plan hangs on their values', async () => {
    const prepared = await app.db.transaction().execute(async (tx) => {
      const users = () => tx.selectFrom('users').select('name as probed')
      for (let time = 0; time < 5; time++) {
        await users().where('id', '=', time).execute()
        await users().where('name', 'like', `${time}%`).execute()
        await users().where('id', '>', time).limit(time).execute()
        await users().modifyFront(keepsPlanHint).where('name', 'like', `${time}%`).execute()
        await tx
          .selectFrom('users')
          .selectAll()
          .select('name as probed')
          .where('id', '=', 1)
          .execute()
      }
      await users().where('username', '=', 'once').execute()
      const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements
        where name like 'often%' and statement like '%probed%' order by length(statement)`.execute(
        tx,
      )
      return rows
    })
    expect(prepared).toEqual([
      { statement: 'select "name" as "probed" from "users" where "id" = $1' },
      {
        statement: 'select /* keeps plan */ "name" as "probed" from "users" where "name" like $1',
      },
    ])
  })

  it('takes no answer for current that was asked for before a write had ended', async () => {
    const slow = await openPausable(app.config.databaseUrl ?? '')
    onTestFinished(slow.close)
    await writeName('before')
    await readName(slow.db)
    slow.pause()
    const early = readName(slow.db)
    // Time for the question to be answered; were it too short, nothing would be tested, and nothing fail.
    await setTimeout(200)
    await writeName('after')
    const late = readName(slow.db)
    slow.resume()
    await early
    expect((await late)?.name).toBe('after')
  })
}
