import { type Examples, keep, nothing, unique } from '../../../../test/kit/examples.ts'

/** A failed background task, of a kind that this version does not know. */
const failedTask = keep(async ({ app: { db, clock } }) => {
  const now = clock.now().toISOString()
  const times = { run_at: now, failed_at: now, created_at: now }
  const row = { name: 'unknown', lane: 'events', key: unique(), payload: '{}', ...times }
  return {
    path: await db.insertInto('tasks').values(row).returning('id').executeTakeFirstOrThrow(),
  }
})

export const examples: Examples = {
  'GET /admin/background_tasks': nothing,
  'POST /admin/background_tasks/:id/retry': failedTask,
  'DELETE /admin/background_tasks/:id': failedTask,
  'GET /sidekiq/queue_metrics': nothing,
  'GET /sidekiq/process_metrics': nothing,
  'GET /sidekiq/job_stats': nothing,
  'GET /sidekiq/compound_metrics': nothing,
}
