import { type Examples, keep, withBody } from '../../../../test/kit/examples.ts'
import { newCiProject, runJobWith } from '../../../../test/kit/pipelines.ts'

const archive = keep(async (world) => {
  const project = await newCiProject(world, { build: { script: 'true' } })
  const job = await runJobWith(world, project, { a: 'a' })
  return { path: { id: project.id, job_id: job.id, ref_name: 'main', artifact_path: 'a' } }
})
const ofJob = '/projects/:id/jobs/:job_id/artifacts'
const ofRef = '/projects/:id/jobs/artifacts/:ref_name'

export const examples: Examples = {
  [`GET ${ofJob}`]: archive,
  [`GET ${ofJob}/tree`]: archive,
  [`GET ${ofJob}/:artifact_path`]: archive,
  [`GET ${ofRef}/download`]: withBody(archive, { job: 'build' }),
  [`GET ${ofRef}/raw/:artifact_path`]: withBody(archive, { job: 'build' }),
  [`POST ${ofJob}/keep`]: archive,
  [`DELETE ${ofJob}`]: archive,
  'DELETE /projects/:id/artifacts': archive,
}
