import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { rootToken, startApp, type TestApp } from '../../test/kit/app.ts'
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
