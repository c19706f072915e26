import { type Examples, keep, nothing, withBody } from '../../../../test/kit/examples.ts'
import { jobOf, newCiProject, newPipeline, tellJob } from '../../../../test/kit/pipelines.ts'
import type { World } from '../../../../test/kit/world.ts'

async function newJob(world: World, config: object): Promise<Record<string, number>> {
  const project = await newCiProject(world, { job: config })
  const pipeline = await newPipeline(world, project)
  const job = await jobOf(world, pipeline.id, 'job')
  return { id: project.id, pipeline_id: pipeline.id, job_id: job.id }
}

const waiting = keep(async (world) => ({ path: await newJob(world, { script: 'true' }) }))
const manual = keep(async (world) => ({
  path: await newJob(world, { script: 'true', when: 'manual' }),
}))
const ended = keep(async (world) => {
  const path = await newJob(world, { script: 'true' })
  const job = await jobOf(world, path.pipeline_id ?? 0, 'job')
  await tellJob(world, job, 'run')
  await world.app.db
    .insertInto('job_log_parts')
    .values({ job_id: job.id, start_byte: 0, bytes: Buffer.from('log') })
    .execute()
  await world.app.db.updateTable('jobs').set({ log_bytes: 3 }).where('id', '=', job.id).execute()
  await tellJob(world, job, 'succeed')
  return { path }
})
const one = '/projects/:id/jobs/:job_id'

/** The Owner owns the jobs. */
export const examples: Examples = {
  'GET /admin/jobs': nothing,
  'GET /projects/:id/jobs': waiting,
  'GET /projects/:id/pipelines/:pipeline_id/jobs': waiting,
  'GET /projects/:id/pipelines/:pipeline_id/bridges': waiting,
  [`GET ${one}`]: waiting,
  [`GET ${one}/trace`]: waiting,
  [`POST ${one}/cancel`]: waiting,
  [`POST ${one}/retry`]: ended,
  [`POST ${one}/erase`]: ended,
  [`POST ${one}/play`]: manual,
  'GET /job': nothing,
  'PUT /jobs/:id': withBody(async () => ({ path: { id: 1 } }), { token: 'none', state: 'running' }),
}
