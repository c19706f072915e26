import { createHook } from 'node:async_hooks'
import { statSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, it } from 'vitest'
import { newFolder } from '../../test/kit/git.ts'
import type { Db } from './db.ts'
import { openDatabase } from './open.ts'
import { WalFlush } from './wal-flush.ts'
import { withoutFlush } from './without-flush.ts'

/** How many requests the work made of the file system's threads: each flush is one. */
async function countFlushes(work: () => Promise<unknown>): Promise<number> {
  let requests = 0
  const hook = createHook({
    init: (_, type) => {
      if (type === 'FSREQCALLBACK') requests++
    },
  }).enable()
  try {
    await work()
    return requests
  } finally {
    hook.disable()
  }
}

it('a commit waits for a flush, commits at once share flushes, and reads wait for none', async () => {
  const db = await openDatabase({ url: join(newFolder(), 'bloomery.db') })
  const write = (id: string, by: Db = db) =>
    by.insertInto('workers').values({ id, seen_at: new Date().toISOString() }).execute()
  const read = (by: Db = db) => by.selectFrom('workers').selectAll().execute()
  expect(await countFlushes(() => write('alone'))).toBe(1)
  expect(await countFlushes(() => db.transaction().execute((trx) => write('within', trx)))).toBe(1)
  expect(await countFlushes(() => read())).toBe(0)
  expect(await countFlushes(() => db.transaction().execute((trx) => read(trx)))).toBe(0)
  expect(await countFlushes(() => write('unflushed', withoutFlush(db)))).toBe(0)
  expect((await read()).map(({ id }) => id)).toContain('unflushed')
  const many = Array.from({ length: 20 }, (_, number) => String(number))
  const shared = await countFlushes(() => Promise.all(many.map((id) => write(id))))
  expect(shared).toBeGreaterThan(0)
  expect(shared).toBeLessThan(5)
  await db.destroy()
})

it('a commit succeeds while the next transaction is open and waits for something else', async () => {
  const db = await openDatabase({ url: join(newFolder(), 'bloomery.db') })
  const write = (id: number) =>
    db.transaction().execute(async (tx) => {
      const seen_at = new Date().toISOString()
      await tx
        .insertInto('workers')
        .values({ id: String(id), seen_at })
        .execute()
      await setTimeout(2)
    })
  await Promise.all(Array.from({ length: 64 }, (_, id) => write(id)))
  expect(await db.selectFrom('workers').selectAll().execute()).toHaveLength(64)
  await db.destroy()
})

it('many commits are copied into the database file beside them', async () => {
  const path = join(newFolder(), 'bloomery.db')
  const db = await openDatabase({ url: path })
  const text = 'x'.repeat(8000)
  for (let number = 0; number < 1200; number++) {
    await db
      .insertInto('workers')
      .values({ id: `${number}${text}`, seen_at: new Date().toISOString() })
      .execute()
  }
  await expect.poll(() => statSync(path).size).toBeGreaterThan(1000 * 4096)
  await db.destroy()
})

it('a disk that has failed once is not trusted again', async () => {
  const path = join(newFolder(), 'bloomery.db')
  // The system flushes no device of this kind: EINVAL.
  symlinkSync('/dev/null', `${path}-wal`)
  const log = await WalFlush.open(path)
  const text = /could not be written to the disk/
  await expect(log.flush()).rejects.toThrow(text)
  await expect(log.flush()).rejects.toThrow(text)
  await log.close()
})

it('SQLite is a version in which a commit beside a checkpoint is safe', () => {
  const memory = new Database(':memory:')
  const version = String(memory.prepare('select sqlite_version()').pluck().get())
  memory.close()
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number)
  // Release notes of SQLite 3.51.3: the WAL-reset bug.
  expect(major * 1e6 + minor * 1e3 + patch).toBeGreaterThanOrEqual(3_051_003)
})
