import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { rootToken, startApp } from '../../test/kit/app.ts'

it('goes on reading after a newer node has added a column', async () => {
  const app = await startApp()
  try {
    const root = app.client(rootToken)
    // PostgreSQL keeps its plan of a statement from the sixth time on.
    for (let time = 0; time < 8; time++) await root.get('/user')
    await sql`alter table users add column later text default 'new'`.execute(app.db)
    for (let time = 0; time < 3; time++) {
      const answer = await root.get('/user')
      expect(answer.statusCode).toBe(200)
      expect(answer.json().username).toBe('root')
    }
  } finally {
    await app.close()
  }
})
