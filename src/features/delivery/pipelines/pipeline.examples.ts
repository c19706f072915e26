import { type Examples, keep, withBody } from '../../../../test/kit/examples.ts'
import { newCiProject, newPipeline } from '../../../../test/kit/pipelines.ts'

const pipeline = keep(async (world) => {
  const project = await newCiProject(world, { build: { script: 'true' } })
  const { id } = await newPipeline(world, project)
  return { path: { id: project.id, pipeline_id: id } }
})
const one = '/projects/:id/pipelines/:pipeline_id'

/** The Owner owns the pipeline. */
export const examples: Examples = {
  'GET /projects/:id/pipelines': pipeline,
  'GET /projects/:id/pipelines/latest': pipeline,
  [`GET ${one}`]: pipeline,
  [`GET ${one}/variables`]: pipeline,
  'POST /projects/:id/pipeline': withBody(pipeline, { ref: 'main' }),
  [`POST ${one}/retry`]: pipeline,
  [`POST ${one}/cancel`]: pipeline,
  [`DELETE ${one}`]: pipeline,
}
