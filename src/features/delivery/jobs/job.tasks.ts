// Finishes jobs whose runners no longer contact the server.
import type { Instance } from '../../../http/endpoint.ts'
import { limits } from '../../../kernel/limits.ts'
import { defineTask } from '../../../tasks/task.ts'
import { withLockedPipeline } from '../pipeline-changes/change-pipeline.ts'
import { findJob } from '../pipeline-changes/job.ts'
import { finishJob } from './finish-job.ts'
import { listJobsOfBuiltinRunner, listStuckJobs, listUnfinishedUserJobs } from './job.store.ts'
import { archiveJobLogTask } from './job-log.ts'

const batch_size = 100

/** Fails jobs that have waited for a runner for too long, and jobs whose runner has been silent for too long. */
export const failStuckJobsTask = defineTask({
  name: 'drop-silent-jobs',
  lane: 'delivery',
  every_ms: 60_000,
  async run({ db, clock }: Pick<Instance, 'db' | 'clock'>) {
    const before = (span_s: number) => new Date(clock().getTime() - span_s * 1000).toISOString()
    const { silent_s_max, builtin_silent_s_max, pending_s_max } = limits.pipelines
    for (;;) {
      const silent = await listStuckJobs(db, {
        runningBefore: before(silent_s_max),
        builtinBefore: before(builtin_silent_s_max),
        pendingBefore: before(pending_s_max),
        limit: batch_size,
      })
      for (const { id, pipeline_id, status } of silent) {
        await withLockedPipeline({ db, clock }, pipeline_id, async (locked) => {
          const job = await findJob(locked.tx, id)
          if (job?.status !== status) return
          const failure_reason = 'stuck_or_timeout_failure'
          await finishJob(locked, job, { event: 'drop', failure_reason })
        })
      }
      if (silent.length < batch_size) return
    }
  },
})

/**
 * Fails the jobs that the built-in runner had when it died, whether or not they had started. Only if there is a single
 * built-in runner; on several nodes, a runner that died is noticed by its silence.
 */
export async function failOrphanedJobsOfBuiltinRunner({
  db,
  clock,
}: Pick<Instance, 'db' | 'clock'>): Promise<void> {
  for (const { id, pipeline_id } of await listJobsOfBuiltinRunner(db, batch_size)) {
    await withLockedPipeline({ db, clock }, pipeline_id, async (locked) => {
      const job = await findJob(locked.tx, id)
      if (job?.status !== 'running') return
      await finishJob(locked, job, { event: 'drop', failure_reason: 'runner_system_failure' })
    })
  }
}

/** Cancels the unfinished jobs of a blocked user. A repeated run finds nothing. */
export const failJobsOfUserTask = defineTask({
  name: 'drop-jobs-of-user',
  lane: 'delivery',
  async run({ db, clock }: Pick<Instance, 'db' | 'clock'>, { user_id }: { user_id: number }) {
    for (;;) {
      const jobs = await listUnfinishedUserJobs(db, { user_id, limit: batch_size })
      for (const { id, pipeline_id } of jobs) {
        await withLockedPipeline({ db, clock }, pipeline_id, async (locked) => {
          const job = await findJob(locked.tx, id)
          if (!job) return
          await finishJob(locked, job, { event: 'drop', failure_reason: 'user_blocked' })
        })
      }
      if (jobs.length < batch_size) return
    }
  },
})

export const jobTasks = [archiveJobLogTask, failStuckJobsTask, failJobsOfUserTask]
