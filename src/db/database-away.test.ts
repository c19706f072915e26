import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { sql } from 'kysely'
import { describe, expect, inject, it } from 'vitest'
import { startApp } from '../../test/kit/app.ts'
import { createDatabase } from '../../test/kit/database.ts'
import { startPostgres } from '../../test/kit/postgres.ts'
import { startSilentProxy } from '../../test/kit/silent-proxy.ts'
import { newWorld } from '../../test/kit/world.ts'
import { DatabaseAwayError, databaseErrorOf } from './database-away.ts'
import { listenToChannel, openPostgres } from './postgres.ts'

const away = {
  message: '503 Service Unavailable - The database cannot be reached. Please try again later.',
}

/** Of pino: what an operator has to look at. */
const error_level = 50

describe('an error of the database', () => {
  it('is told from one of a statement', () => {
    const withCode = (code: string) => Object.assign(new Error('x'), { code })
    for (const code of ['ECONNREFUSED', '57P01', '57P03', '53300', '08006']) {
      expect(databaseErrorOf(withCode(code))).toBeInstanceOf(DatabaseAwayError)
    }
    const terminated = new Error('Connection terminated unexpectedly')
    expect(databaseErrorOf(terminated)).toMatchObject({ cause: terminated })
    for (const error of [withCode('23505'), withCode('57014'), new Error('x'), 'x']) {
      expect(databaseErrorOf(error)).toBe(error)
    }
  })
})

if (process.env.TEST_DB === 'postgres') {
  describe('PostgreSQL that does not answer any more', () => {
    it('costs requests a 503 once no statement may take longer', async () => {
      const database = await createDatabase(inject('postgresUrl'))
      const proxy = await startSilentProxy(Number(new URL(database.url).port))
      const url = new URL(database.url)
      url.port = String(proxy.port)
      url.searchParams.set('statement_timeout', '2000')
      const app = await startApp({ BLOOMERY_DATABASE_URL: url.toString() })
      try {
        const owner = (await newWorld(app)).as('owner')
        await owner.put('/user/status', { message: 'Here' })
        proxy.silence()
        const answers = await Promise.all([
          owner.put('/user/status', { message: 'Away' }),
          owner.post('/api/graphql', { query: '{ currentUser { username } }' }),
        ])
        for (const { statusCode, json } of answers) {
          expect([statusCode, json()]).toEqual([503, away])
        }
        proxy.resume()
        expect((await owner.get('/user/status')).json().message).toMatch(/^(Here|Away)$/)
        // A transaction may rest between two statements for longer than one may take.
        await app.db.transaction().execute(async (tx) => {
          await sql`select 1`.execute(tx)
          await setTimeout(4_000)
          await sql`select 1`.execute(tx)
        })
        expect(app.log.filter(({ level }) => Number(level) >= error_level)).toEqual([])
      } finally {
        await app.close()
        await proxy.close()
        await database.drop()
      }
    })
  })

  describe('An answer of PostgreSQL that does not come', () => {
    it('is waited for while PostgreSQL works on it, and given up once it was lost', async () => {
      const database = await createDatabase(inject('postgresUrl'))
      const proxy = await startSilentProxy(Number(new URL(database.url).port))
      const url = new URL(database.url)
      url.port = String(proxy.port)
      url.searchParams.set('statement_timeout', '8000')
      const db = openPostgres(url.toString())
      try {
        // It is asked for once by then.
        await sql`select pg_sleep(6)`.execute(db)
        const lost = sql`select 1`.execute(db)
        proxy.silence()
        // The connection stays silent, and others are answered.
        proxy.replace()
        await expect(lost).rejects.toMatchObject({
          name: 'DatabaseAwayError',
          cause: { message: 'Connection terminated: the answer of the database was lost' },
        })
        await sql`select 1`.execute(db)
      } finally {
        await db.destroy()
        await proxy.close()
        await database.drop()
      }
    })
  })

  describe('A channel of PostgreSQL that fell silent', () => {
    it('is listened to anew, and does not keep the server from stopping', async () => {
      const database = await createDatabase(inject('postgresUrl'))
      const proxy = await startSilentProxy(Number(new URL(database.url).port))
      const url = new URL(database.url)
      url.port = String(proxy.port)
      url.searchParams.set('statement_timeout', '2000')
      const db = openPostgres(database.url)
      const say = (text: string) => sql`select pg_notify('talk', ${text})`.execute(db)
      const heard: string[] = []
      let begun = 0
      const listener = listenToChannel(url.toString(), 'talk', {
        greeting: 'hello',
        begin: () => void begun++,
        hear: (text) => heard.push(text),
      })
      try {
        await expect.poll(() => [begun, heard]).toEqual([1, ['hello']])
        proxy.silence()
        await say('not heard')
        // The connection stays silent, and a new one does not.
        proxy.replace()
        await expect.poll(() => [begun, heard]).toEqual([2, ['hello', 'hello']])
        await say('heard')
        await expect.poll(() => heard).toEqual(['hello', 'hello', 'heard'])
        proxy.silence()
        await listener.end()
      } finally {
        await listener.end()
        await db.destroy()
        await proxy.close()
        await database.drop()
      }
    })
  })

  describe('PostgreSQL that is restarted', () => {
    it.each(['SIGINT', 'SIGQUIT'] as const)(
      'by %s costs requests a 503, and the server nothing',
      async (signal) => {
        const postgres = await startPostgres()
        const data = mkdtempSync(join(tmpdir(), 'bloomery-test-'))
        const settings = { BLOOMERY_DATA: data, BLOOMERY_DATABASE_URL: postgres.url }
        const app = await startApp(settings)
        try {
          const world = await newWorld(app)
          const owner = world.as('owner')
          const url = `/projects/${world.projects.shut.id}`
          const answers = new Map<number, unknown>()
          let isOver = false
          let written: string | null = null
          let count = 0
          const round = async () => {
            const description = `Description ${++count}`
            const changed = await owner.put(url, { description })
            if (changed.statusCode === 200) written = description
            const hidden = await world.app.client(undefined).get(url)
            for (const answer of [changed, hidden, await owner.get(url)]) {
              answers.set(answer.statusCode, answer.statusCode === 503 && answer.json())
              if (answer.statusCode === 503) expect(answer.headers['retry-after']).toBe('5')
            }
          }
          await round()
          // A connection that breaks between two statements fails the second one, and no more.
          const broken = app.db.transaction().execute(async (tx) => {
            await sql`select 1`.execute(tx)
            await postgres.restart(signal)
            await sql`select 1`.execute(tx)
          })
          const rounds = (async () => {
            while (!isOver) await round()
          })()
          await expect(broken).rejects.toBeInstanceOf(DatabaseAwayError)
          isOver = true
          await rounds
          expect([...answers.keys()].sort()).toEqual([200, 404, 503])
          expect(answers.get(503)).toEqual(away)
          // What was acknowledged last is there, or a later one that was not.
          const kept = (await owner.get(url)).json().description
          const numberOf = (text: string | null) => Number(text?.split(' ')[1] ?? 0)
          expect(numberOf(kept)).toBeGreaterThanOrEqual(numberOf(written))
          expect((await owner.put(url, { description: 'After' })).json().description).toBe('After')
          expect(app.log.filter(({ level }) => Number(level) >= error_level)).toEqual([])
        } finally {
          await app.close()
          await postgres.stop()
        }
      },
    )
  })
}
