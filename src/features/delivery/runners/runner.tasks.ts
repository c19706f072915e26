// Registration tokens of projects and groups that are older than their digests.
import type { Db } from '../../../db/db.ts'
import { digestToken } from '../../../kernel/ids.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import { defineTask } from '../../../tasks/task.ts'
import { indexToken, listUnindexedTokens } from './runner.store.ts'

const batch_size = 500

/** Finds nothing to do once every token has its digest; new ones have it from the start. */
const indexRegistrationTokens = defineTask({
  name: 'index-registration-tokens',
  lane: 'upkeep',
  every_ms: 24 * 60 * 60_000,
  async run({ db, secretKey }: { db: Db; secretKey: Buffer }) {
    for (const table of ['projects', 'namespaces'] as const) {
      for (;;) {
        const rows = await listUnindexedTokens(db, table, batch_size)
        for (const { id, runners_token } of rows) {
          const token = openSecret(secretKey, runners_token ?? '')
          await indexToken(db, table, { id, runners_token_digest: digestToken(token) })
        }
        if (rows.length < batch_size) break
      }
    }
  },
})

export const runnerTasks = [indexRegistrationTokens]
