// The runner the server starts itself (docs/operating, "Runners").

import { createHmac } from 'node:crypto'
import type { Db } from '../../../db/db.ts'
import { runTransaction } from '../../../db/run-transaction.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { type Clock, timestamp } from '../../../kernel/clock.ts'
import { serverVersion } from '../../../kernel/version.ts'
import { waitForPendingJob } from '../pipeline-changes/job-queue.ts'
import { hasPendingJob } from './request-job.ts'
import { findBuiltinRunner, insertRunner, updateRunner } from './runner.store.ts'
import { recordRunnerContact, runnerTokenColumns } from './runner-token.ts'

/**
 * Returns the token of the built-in runner, which is an instance runner like any other, and creates that runner if it is
 * missing. The token is derived from the secret key, so all nodes get the same one and it is stored nowhere.
 */
export async function ensureBuiltinRunner(
  db: Db,
  { clock, key }: { clock: Clock; key: Buffer },
): Promise<string> {
  const token = createHmac('sha256', key).update('built-in runner').digest('base64url').slice(0, 26)
  const known = runnerTokenColumns(token)
  await runTransaction(db, async (tx) => {
    const runner = await findBuiltinRunner(tx)
    // Replaces a token that was reset: a reset lasts only until the server restarts.
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

/** The interval at which pending jobs of other servers are searched. */
const look_ms = 5_000

/**
 * Acts for the built-in runner while its process does not run: records that it is online, and resolves once a job is pending
 * for it, or `signal` aborts.
 */
export async function waitForJobOfBuiltinRunner(
  uses: Pick<Instance, 'db' | 'clock' | 'config'>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    const runner = await findBuiltinRunner(uses.db)
    if (runner) {
      // Once the runner's process has run, the row already has the more detailed information that it
      // reported.
      const info = runner.version === null ? builtinRunnerInfo : undefined
      await recordRunnerContact(uses, runner, { ip: '127.0.0.1', info })
      const isUnisolated = runner.isolation_problem !== null
      if (await hasPendingJob(uses, { runner, isUnisolated })) return
    }
    await waitForPendingJob(look_ms, signal)
  }
}

const builtinRunnerInfo = {
  name: 'bloomery-runner',
  version: serverVersion,
  platform: process.platform,
  architecture: process.arch,
  executor: 'shell',
}
