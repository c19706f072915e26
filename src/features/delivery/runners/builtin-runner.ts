// The runner the server starts itself (docs/operating, "Runners").
import { createHmac } from 'node:crypto'
import type { Db } from '../../../db/db.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { findBuiltinRunner, insertRunner, updateRunner } from './runner.store.ts'
import { runnerTokenColumns } from './runner-token.ts'

/**
 * The token of the built-in runner, which is an instance runner like any other and made where there is
 * none. It follows from the secret key, so that all nodes start one and the same; it is stored nowhere.
 */
export async function ensureBuiltinRunner(
  db: Db,
  { clock, key }: { clock: Clock; key: Buffer },
): Promise<string> {
  const token = createHmac('sha256', key).update('built-in runner').digest('base64url').slice(0, 26)
  const known = runnerTokenColumns(token)
  await db.transaction().execute(async (tx) => {
    const runner = await findBuiltinRunner(tx)
    // Its token may have been reset: that ends when the server starts again.
    if (runner) await updateRunner(tx, runner.id, { ...known, token_expires_at: null })
    else {
      const now = timestamp(clock)
      await insertRunner(tx, {
        ...known,
        runner_type: 'instance_type',
        builtin: true,
        description: 'Built-in runner',
        tags: [],
        run_untagged: true,
        locked: false,
        paused: false,
        access_level: 'not_protected',
        created_at: now,
        updated_at: now,
      })
    }
  })
  return token
}
