// Adds digests to old registration tokens, and fails jobs that no runner can run.

import type { Db } from '../../../db/db.ts'
import type { Instance } from '../../../http/endpoint.ts'
import { digestToken } from '../../../kernel/ids.ts'
import { limits } from '../../../kernel/limits.ts'
import { openSecret } from '../../../kernel/secrets.ts'
import { defineTask } from '../../../tasks/task.ts'
import { finishJob } from '../jobs/finish-job.ts'
import { withLockedPipeline } from '../pipeline-changes/change-pipeline.ts'
import { findJob } from '../pipeline-changes/job.ts'
import { type LongPendingJob, listLongPendingJobs } from './job-queue.store.ts'
import {
  listRegistrationTokensWithoutDigest,
  listRunners,
  saveRegistrationTokenDigest,
} from './runner.store.ts'

const batch_size = 500
const jobs_a_batch = 100
/** How many runners of a project are checked; one that matches is enough. */
const runners_a_project = 1000

/**
 * Adds digests to old registration tokens. New tokens have a digest from the start, so later runs find
 * nothing.
 */
const indexRegistrationTokens = defineTask({
  name: 'index-registration-tokens',
  lane: 'upkeep',
  every_ms: 24 * 60 * 60_000,
  async run({ db, secretKey }: Pick<Instance, 'db' | 'secretKey'>) {
    for (const table of ['projects', 'namespaces'] as const) {
      for (;;) {
        const rows = await listRegistrationTokensWithoutDigest(db, table, batch_size)
        for (const { id, runners_token } of rows) {
          const token = openSecret(secretKey, runners_token ?? '')
          await saveRegistrationTokenDigest(db, table, {
            id,
            runners_token_digest: digestToken(token),
          })
        }
        if (rows.length < batch_size) break
      }
    }
  },
})

/** Fails jobs that have waited for an hour without an online runner that could run them. */
export const failUnmatchedJobsTask = defineTask({
  name: 'drop-unmatched-jobs',
  lane: 'delivery',
  every_ms: 60_000,
  async run({ db, clock }: Pick<Instance, 'db' | 'clock'>) {
    const { unmatched_s_max } = limits.pipelines
    const since = new Date(clock().getTime() - unmatched_s_max * 1000).toISOString()
    for (let after = 0; ; ) {
      const jobs = await listLongPendingJobs(db, { before: since, after, limit: jobs_a_batch })
      for (const job of jobs) {
        if (await hasRunnerFor(db, job, since)) continue
        await withLockedPipeline({ db, clock }, job.pipeline_id, async (locked) => {
          const current = await findJob(locked.tx, job.id)
          if (current?.status !== 'pending') return
          const failure_reason = 'stuck_or_timeout_failure'
          await finishJob(locked, current, { event: 'drop', failure_reason })
        })
      }
      const last = jobs.at(-1)
      if (!last || jobs.length < jobs_a_batch) return
      after = last.id
    }
  },
})

async function hasRunnerFor(db: Db, job: LongPendingJob, since: string): Promise<boolean> {
  const { project_id, namespace_id, shared_runners_enabled: withShared } = job
  const { rows } = await listRunners(
    db,
    { of: { project_id, namespace_id, withShared }, paused: false, contactedSince: since },
    { offset: 0, per_page: runners_a_project },
  )
  const tags = JSON.parse(job.tags) as string[]
  return rows.some(
    (runner) =>
      (tags.length === 0 ? runner.run_untagged : tags.every((tag) => runner.tags.includes(tag))) &&
      (runner.access_level === 'not_protected' || job.protected),
  )
}

export const runnerTasks = [indexRegistrationTokens, failUnmatchedJobsTask]
