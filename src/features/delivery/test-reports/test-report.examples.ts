import { type Examples, keep } from '../../../../test/kit/examples.ts'
import { newCiProject, newPipeline } from '../../../../test/kit/pipelines.ts'

const pipeline = keep(async (world) => {
  const project = await newCiProject(world, { build: { script: 'true' } })
  const { id } = await newPipeline(world, project)
  return { path: { id: project.id, pipeline_id: id } }
})

export const examples: Examples = {
  'GET /projects/:id/pipelines/:pipeline_id/test_report': pipeline,
  'GET /projects/:id/pipelines/:pipeline_id/test_report_summary': pipeline,
}
