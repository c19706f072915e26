import type { Instance } from '../../../http/endpoint.ts'
import { timestamp } from '../../../kernel/clock.ts'
import { defineTask, enqueueAll } from '../../../tasks/task.ts'
import { enqueueOwnBlobRemoval } from '../../basics/own-blobs/own-blob.ts'
import type { PipelineChange } from '../../delivery/pipeline-changes/pipeline-changed.ts'
import type { projectRemovedEffect } from '../../projects/projects/project.tasks.ts'
import { deletePagesSite, filterPagesJobs } from './pages.store.ts'
import { pagesFolderOfJob, publishPagesSite } from './publish-site.ts'
import { deleteExpiredVisitTickets } from './ticket.store.ts'

const publishOne = defineTask({
  name: 'publish-pages-site',
  lane: 'delivery',
  run: (uses: Pick<Instance, 'db' | 'clock' | 'config'>, { job_id }: { job_id: number }) =>
    publishPagesSite(uses, job_id),
})

/** Enqueues publishing of the sites of successful `pages` jobs. A step of a change of a pipeline. */
export async function enqueueSitePublishing({ tx, clock, jobs }: PipelineChange): Promise<void> {
  const done = jobs.filter(({ status }) => status === 'success').map(({ id }) => id)
  if (done.length === 0) return
  const makers = (await filterPagesJobs(tx, done)).filter(
    (job) => pagesFolderOfJob(job) !== undefined,
  )
  await enqueueAll(tx, clock, {
    task: publishOne,
    requests: makers.map(({ id }) => ({ key: String(id), payload: { job_id: id } })),
  })
}

/** Enqueues the deletion of a project's site; its row is deleted with the project. */
export async function enqueuePagesSiteRemoval({
  tx,
  project_id,
  now,
}: Parameters<typeof projectRemovedEffect.run>[0]): Promise<void> {
  const blob = await deletePagesSite(tx, project_id)
  if (blob) await enqueueOwnBlobRemoval(tx, () => new Date(now), { kind: 'pages', name: blob })
}

export const pagesTasks = [
  publishOne,
  defineTask({
    name: 'remove-pages-tickets',
    lane: 'expiry',
    every_ms: 60 * 60_000,
    run: ({ db, clock }: Pick<Instance, 'db' | 'clock'>) =>
      deleteExpiredVisitTickets(db, timestamp(clock)),
  }),
]
